//! A machine's screen as text, for terminals and as a PNG file.

use crate::diagnostic::text::shown;
use scrimp_isa::Screen;
use std::fmt::Write as _;

/// The screen as lines of text without blanks at their ends. Inverse letters are in
/// lower case, other inverse cells are as they are; with `color` cells are in reverse
/// video instead.
pub fn text(screen: &Screen, color: bool) -> String {
    let mut out = String::new();
    if is_picture(screen) {
        for row in blocks(screen, COLUMNS, color) {
            out.push_str(row.trim_end_matches(' '));
            out.push('\n');
        }
    }
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

/// Columns of a picture that is printed as text.
pub const COLUMNS: usize = 80;
/// Signs for a pixel by its brightness, where there is no colour.
const SHADES: &[u8] = b" .:-=+*#%@";

/// Whether a machine has pixels only.
pub fn is_picture(screen: &Screen) -> bool {
    screen.text.is_empty() && screen.rgb.len() == 3 * screen.width * screen.height
}

/// Rows that a picture has in so many columns: a cell is two pixels high.
pub fn block_rows(screen: &Screen, columns: usize) -> usize {
    (screen.height * columns).div_ceil(2 * screen.width.max(1))
}

/// How bright a colour looks.
fn brightness(color: [u8; 3]) -> u32 {
    let [r, g, b] = color.map(u32::from);
    3 * r + 6 * g + b
}

/// The picture in so many columns of cells, with colour two pixels to a cell. A pixel
/// is the brightest of those that it stands for, so that thin letters stay.
pub fn blocks(screen: &Screen, columns: usize, color: bool) -> Vec<String> {
    let (width, height) = (screen.width, screen.height);
    let rows = block_rows(screen, columns);
    let (high, wide) = (if color { 2 * rows } else { rows }, columns);
    let pixel = |x: usize, y: usize| {
        let across = x * width / wide..((x + 1) * width / wide).max(x * width / wide + 1);
        let down = y * height / high..((y + 1) * height / high).max(y * height / high + 1);
        let all = down.flat_map(|y| across.clone().map(move |x| 3 * (y * width + x)));
        let colors = all.filter_map(|at| screen.rgb.get(at..at + 3));
        let colors = colors.map(|c| [c[0], c[1], c[2]]);
        colors.max_by_key(|&c| brightness(c)).unwrap_or_default()
    };
    let row = |y: usize| {
        let mut out = String::new();
        let mut last = None;
        for x in 0..columns {
            if !color {
                let bright = brightness(pixel(x, y)) as usize * (SHADES.len() - 1) / 2550;
                out.push(char::from(SHADES[bright]));
                continue;
            }
            let pair = (pixel(x, 2 * y), pixel(x, 2 * y + 1));
            if last != Some(pair) {
                let ([r, g, b], [s, h, c]) = pair;
                let _ = write!(out, "\x1b[38;2;{r};{g};{b};48;2;{s};{h};{c}m");
                last = Some(pair);
            }
            out.push('▀');
        }
        if color {
            out.push_str("\x1b[0m");
        }
        out
    };
    (0..rows).map(row).collect()
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
        assert_eq!(text(&screen(), false), "Ab1\n\n");
        assert_eq!(text(&screen(), true), "A\x1b[7mB1\x1b[27m\n\n");
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
        picture.rgb[..3].copy_from_slice(&[255, 255, 255]);
        assert_eq!(blocks(&picture, 2, false), ["@ "]);
        let colored = blocks(&picture, 2, true);
        assert_eq!(
            colored,
            ["\x1b[38;2;255;255;255;48;2;0;0;0m▀\x1b[38;2;0;0;0;48;2;0;0;0m▀\x1b[0m"]
        );
        assert_eq!(text(&picture, false).lines().count(), COLUMNS / 2);
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
