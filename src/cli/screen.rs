//! A machine's screen as text, for terminals and as a PNG file.

use scrimp_isa::Screen;

/// The screen as lines of text without blanks at their ends. Inverse letters are in
/// lower case, other inverse cells are as they are; with `color` cells are in reverse
/// video instead.
pub fn text(screen: &Screen, color: bool) -> String {
    let mut out = String::new();
    for (y, row) in screen.text.iter().enumerate() {
        let line = if color {
            reversed(screen, y)
        } else {
            lower(screen, y, row)
        };
        out.push_str(line.trim_end_matches(' '));
        out.push('\n');
    }
    out
}

fn is_inverse(screen: &Screen, y: usize, x: usize) -> bool {
    screen
        .inverse
        .get(y)
        .and_then(|r| r.get(x))
        .copied()
        .unwrap_or(false)
}

fn lower(screen: &Screen, y: usize, row: &str) -> String {
    let cell = |(x, c): (usize, char)| {
        if is_inverse(screen, y, x) {
            c.to_ascii_lowercase()
        } else {
            c
        }
    };
    row.chars().enumerate().map(cell).collect()
}

/// A row with the escape sequences of reverse video.
pub fn reversed(screen: &Screen, y: usize) -> String {
    let Some(row) = screen.text.get(y) else {
        return String::new();
    };
    let mut out = String::new();
    let mut on = false;
    for (x, c) in row.chars().enumerate() {
        let want = is_inverse(screen, y, x);
        if want != on {
            out.push_str(if want { "\x1b[7m" } else { "\x1b[27m" });
            on = want;
        }
        out.push(c);
    }
    if on {
        out.push_str("\x1b[27m");
    }
    out
}

/// The picture as a PNG file, each pixel `scale` by `scale`.
///
/// # Errors
/// When the machine has made no picture.
pub fn png(screen: &Screen, scale: usize) -> Result<Vec<u8>, String> {
    let (w, h) = (screen.width, screen.height);
    if w == 0 || h == 0 || screen.rgb.len() != 3 * w * h {
        return Err("the machine has no picture yet".into());
    }
    let mut pixels = Vec::with_capacity(w * h * scale * scale * 3);
    for row in screen.rgb.chunks_exact(3 * w) {
        let wide: Vec<u8> = row.chunks_exact(3).flat_map(|p| p.repeat(scale)).collect();
        for _ in 0..scale {
            pixels.extend_from_slice(&wide);
        }
    }
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, (w * scale) as u32, (h * scale) as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
    writer
        .write_image_data(&pixels)
        .map_err(|e| e.to_string())?;
    writer.finish().map_err(|e| e.to_string())?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen() -> Screen {
        Screen {
            text: vec!["AB1 ".into(), "    ".into()],
            inverse: vec![vec![false, true, true, false], vec![false; 4]],
            width: 2,
            height: 1,
            rgb: vec![0, 0, 0, 255, 255, 255],
        }
    }

    #[test]
    fn inverse_cells() {
        assert_eq!(text(&screen(), false), "Ab1\n\n");
        assert_eq!(text(&screen(), true), "A\x1b[7mB1\x1b[27m\n\n");
    }

    #[test]
    fn pictures() {
        let bytes = png(&screen(), 2).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (4, 2));
        assert_eq!(
            pixels[..12],
            [0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255]
        );
        assert!(png(&Screen::default(), 1).is_err());
    }
}
