//! The screen: the display file as text, the ULA's picture as pixels.

use scrimp_isa::Screen;

use super::chars;
use super::memory::{COLUMNS, D_FILE, NEWLINE, NEWLINES};
use super::ula::{LINE, Ula};

/// Pixels left and right of the 256, and above and below the 192.
const BORDER: usize = 32;
const BORDER_LINES: usize = 24;
const WIDTH: usize = 256 + 2 * BORDER;
const HEIGHT: usize = 192 + 2 * BORDER_LINES;
/// Where the ROM puts the first character: T-states after the horizontal sync,
/// and lines after the vertical sync with 60 and 50 Hz.
const FIRST_COLUMN: usize = 55;
const FIRST_LINE: [usize; 2] = [32, 56];

/// The codes on the screen by the display file, 24 rows; none when D_FILE does
/// not point at a newline.
pub fn codes(ula: &Ula) -> Vec<Vec<u8>> {
    let mut at = ula.word(D_FILE);
    if ula.peek(at) != NEWLINE {
        return Vec::new();
    }
    let mut rows = Vec::new();
    for _ in 1..NEWLINES {
        let mut row = Vec::new();
        loop {
            at = at.wrapping_add(1);
            let code = ula.peek(at);
            if code == NEWLINE || row.len() == COLUMNS {
                break;
            }
            row.push(code);
        }
        rows.push(row);
    }
    rows
}

/// Text and pixels. `now` tells a picture that is on from one that was.
pub fn screen(ula: &Ula, sixty: bool, now: u64) -> Screen {
    let mut screen = Screen {
        width: WIDTH,
        height: HEIGHT,
        rgb: pixels(ula, sixty, now),
        ..Screen::default()
    };
    for row in codes(ula) {
        let cells = row.into_iter().chain(std::iter::repeat(0)).take(COLUMNS);
        let (text, inverse) = cells.map(chars::decode).unzip();
        screen.text.push(text);
        screen.inverse.push(inverse);
    }
    screen
}

/// The picture in black and white; white when none was shown for three frames.
fn pixels(ula: &Ula, sixty: bool, now: u64) -> Vec<u8> {
    let mut rgb = vec![0xFF; 3 * WIDTH * HEIGHT];
    if now.saturating_sub(ula.picture.end) > 3 * 312 * LINE {
        return rgb;
    }
    let top = FIRST_LINE[usize::from(!sixty)] - BORDER_LINES;
    let left = 2 * FIRST_COLUMN - BORDER;
    for cell in &ula.picture.cells {
        let Some(y) = usize::from(cell.line).checked_sub(top) else {
            continue;
        };
        for bit in (0..8).filter(|bit| cell.bits & 0x80 >> bit != 0) {
            let Some(x) = (2 * usize::from(cell.column) + bit).checked_sub(left) else {
                continue;
            };
            if x < WIDTH && y < HEIGHT {
                let at = 3 * (y * WIDTH + x);
                rgb[at..at + 3].fill(0);
            }
        }
    }
    rgb
}
