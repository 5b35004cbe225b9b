//! A machine's screen as text, for terminals and as a PNG file.

use super::pixels::{Blocks, Depth, Picture, brightness};
use crate::diagnostic::text::shown;
use scrimp_isa::Screen;

/// The screen as lines of text without blanks at their ends. Inverse letters are in
/// lower case, other inverse cells are as they are; with colour cells are in reverse
/// video instead. A picture is as high as it is used, and nothing while it is dark.
pub fn text(screen: &Screen, depth: Depth) -> String {
    let mut out = String::new();
    if is_picture(screen)
        && let Some(picture) = Picture::of(screen).cropped()
    {
        for row in printed(&picture, depth) {
            out.push_str(row.trim_end_matches(' '));
            out.push('\n');
        }
    }
    for (y, row) in screen.text.iter().enumerate() {
        let line = match depth {
            Depth::None => lower(screen, y, row),
            _ => reversed(screen, y),
        };
        out.push_str(line.trim_end_matches(' '));
        out.push('\n');
    }
    out
}

/// Most columns of a picture that is printed as text.
const COLUMNS: usize = 80;
/// Signs for a pixel by its brightness, where there is no colour.
const SHADES: &[u8] = b" .:-=+*#%@";

/// Whether a machine has pixels only; a chip alone has no screen at all.
pub fn is_picture(screen: &Screen) -> bool {
    let pixels = screen.width * screen.height;
    screen.text.is_empty() && pixels > 0 && screen.rgb.len() == 3 * pixels
}

/// A picture in cells, without colour in shades that any font has.
fn printed(picture: &Picture, depth: Depth) -> Vec<String> {
    if depth != Depth::None {
        let columns = picture.width.div_ceil(2).min(COLUMNS);
        let rows = (columns * picture.height).div_ceil(2 * picture.width);
        return picture.cells(columns, rows.max(1), Blocks::Quadrants, depth);
    }
    let columns = picture.width.min(COLUMNS);
    let rows = (columns * picture.height).div_ceil(2 * picture.width);
    let shade = |c| SHADES[brightness(c) as usize * (SHADES.len() - 1) / 2550];
    let row = |y: usize| {
        let all = (0..columns).map(|x| shade(picture.mean((x, columns), (y, rows))));
        all.map(char::from).collect()
    };
    (0..rows.max(1)).map(row).collect()
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
        let c = shown(c);
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
        out.push(shown(c));
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
        assert_eq!(text(&screen(), Depth::None), "Ab1\n\n");
        assert_eq!(text(&screen(), Depth::True), "A\x1b[7mB1\x1b[27m\n\n");
    }

    #[test]
    fn pictures_as_text() {
        let mut picture = Screen {
            width: 4,
            height: 4,
            rgb: [[0u8, 0, 0]; 16].concat(),
            ..Screen::default()
        };
        assert!(is_picture(&picture) && !is_picture(&screen()));
        // A dark one is no row of blanks.
        assert_eq!(text(&picture, Depth::None), "");
        picture.rgb[15..18].copy_from_slice(&[255, 255, 255]);
        picture.rgb[30..33].copy_from_slice(&[255, 255, 255]);
        assert_eq!(text(&picture, Depth::None), "==\n");
        let colored = text(&picture, Depth::True);
        assert_eq!(colored, "\x1b[38;2;255;255;255;48;2;0;0;0m▚\x1b[0m\n");
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
