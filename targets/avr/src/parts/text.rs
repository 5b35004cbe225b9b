//! A text screen of 80 by 25 that understands what a VT100 does of use to games.
//!
//! CR, LF, backspace, tab, form feed (clears), bell, and the sequences `ESC [` with
//! A B C D H f J K m, s and u; others are passed over.

/// Columns.
pub const COLUMNS: usize = 80;
/// Rows.
pub const ROWS: usize = 25;

/// The screen and where the cursor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextScreen {
    cells: Vec<char>,
    inverse: Vec<bool>,
    x: usize,
    y: usize,
    saved: (usize, usize),
    reverse: bool,
    sequence: Sequence,
    /// Rows that went out at the top.
    scrolled: u64,
}

/// Where in an escape sequence it is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sequence {
    None,
    Escape,
    /// `ESC [` and the numbers so far.
    Numbers(Vec<usize>),
}

impl Default for TextScreen {
    fn default() -> Self {
        Self {
            cells: vec![' '; COLUMNS * ROWS],
            inverse: vec![false; COLUMNS * ROWS],
            x: 0,
            y: 0,
            saved: (0, 0),
            reverse: false,
            sequence: Sequence::None,
            scrolled: 0,
        }
    }
}

impl TextScreen {
    /// The rows.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        self.cells
            .chunks(COLUMNS)
            .map(|r| r.iter().collect())
            .collect()
    }

    /// For each row which cells are inverse.
    #[must_use]
    pub fn inverse(&self) -> Vec<Vec<bool>> {
        self.inverse.chunks(COLUMNS).map(<[bool]>::to_vec).collect()
    }

    /// Column and row of the cursor, from 0.
    #[must_use]
    pub fn cursor(&self) -> (usize, usize) {
        (self.x, self.y)
    }

    /// Rows that went out at the top.
    #[must_use]
    pub fn scrolled(&self) -> u64 {
        self.scrolled
    }

    /// A byte arrives.
    pub fn put(&mut self, byte: u8) {
        match std::mem::replace(&mut self.sequence, Sequence::None) {
            Sequence::Escape => match byte {
                b'[' => self.sequence = Sequence::Numbers(vec![0]),
                b'c' => *self = Self::default(),
                b'7' => self.saved = (self.x, self.y),
                b'8' => (self.x, self.y) = self.saved,
                _ => {}
            },
            Sequence::Numbers(mut numbers) => match byte {
                b'0'..=b'9' => {
                    if let Some(last) = numbers.last_mut() {
                        *last = (*last * 10 + usize::from(byte - b'0')).min(9999);
                    }
                    self.sequence = Sequence::Numbers(numbers);
                }
                b';' if numbers.len() < 16 => {
                    numbers.push(0);
                    self.sequence = Sequence::Numbers(numbers);
                }
                b'?' | b';' => self.sequence = Sequence::Numbers(numbers),
                _ => self.command(byte, &numbers),
            },
            Sequence::None => self.plain(byte),
        }
    }

    fn plain(&mut self, byte: u8) {
        match byte {
            0x08 => self.x = self.x.saturating_sub(1),
            b'\t' => self.x = (self.x / 8 * 8 + 8).min(COLUMNS - 1),
            b'\n' | 0x0b => self.line_feed(),
            0x0c => {
                self.erase(0, COLUMNS * ROWS);
                (self.x, self.y) = (0, 0);
            }
            b'\r' => self.x = 0,
            0x1b => self.sequence = Sequence::Escape,
            0x20..=0x7e | 0xa0.. => {
                // The last column wraps when something follows it.
                if self.x == COLUMNS {
                    self.x = 0;
                    self.line_feed();
                }
                let at = self.y * COLUMNS + self.x;
                self.cells[at] = char::from(byte);
                self.inverse[at] = self.reverse;
                self.x += 1;
            }
            _ => {}
        }
    }

    fn line_feed(&mut self) {
        if self.y + 1 < ROWS {
            self.y += 1;
        } else {
            self.cells.drain(..COLUMNS);
            self.inverse.drain(..COLUMNS);
            self.cells.resize(COLUMNS * ROWS, ' ');
            self.inverse.resize(COLUMNS * ROWS, false);
            self.scrolled += 1;
        }
    }

    fn erase(&mut self, from: usize, to: usize) {
        self.cells[from..to].fill(' ');
        self.inverse[from..to].fill(false);
    }

    fn command(&mut self, byte: u8, numbers: &[usize]) {
        let n = |i: usize| numbers.get(i).copied().unwrap_or(0);
        let times = n(0).max(1);
        let at = self.y * COLUMNS + self.x.min(COLUMNS - 1);
        match byte {
            b'A' => self.y = self.y.saturating_sub(times),
            b'B' => self.y = (self.y + times).min(ROWS - 1),
            b'C' => self.x = (self.x + times).min(COLUMNS - 1),
            b'D' => self.x = self.x.saturating_sub(times),
            b'H' | b'f' => {
                self.y = n(0).clamp(1, ROWS) - 1;
                self.x = n(1).clamp(1, COLUMNS) - 1;
            }
            b'J' => match n(0) {
                0 => self.erase(at, COLUMNS * ROWS),
                1 => self.erase(0, at + 1),
                _ => self.erase(0, COLUMNS * ROWS),
            },
            b'K' => {
                let line = self.y * COLUMNS;
                match n(0) {
                    0 => self.erase(at, line + COLUMNS),
                    1 => self.erase(line, at + 1),
                    _ => self.erase(line, line + COLUMNS),
                }
            }
            b'm' => {
                for &code in numbers {
                    match code {
                        0 | 27 => self.reverse = false,
                        7 => self.reverse = true,
                        _ => {}
                    }
                }
            }
            b's' => self.saved = (self.x, self.y),
            b'u' => (self.x, self.y) = self.saved,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(text: &str) -> TextScreen {
        let mut s = TextScreen::default();
        text.bytes().for_each(|b| s.put(b));
        s
    }

    fn top(s: &TextScreen, n: usize) -> Vec<String> {
        let rows = s.rows().into_iter().take(n);
        rows.map(|r| r.trim_end().to_owned()).collect()
    }

    #[test]
    fn control_characters() {
        let s = screen("ab\r\ncd\x08e\n\tf");
        assert_eq!(top(&s, 3), ["ab", "ce", "        f"]);
        assert_eq!(top(&screen("ab\x0cc"), 1), ["c"]);
        assert_eq!(screen("\x08\x08").cursor(), (0, 0));
    }

    #[test]
    fn sequences() {
        let s = screen("abc\x1b[2J\x1b[Hx\x1b[3;5Hy\x1b[Az\x1b[1D\x1b[K");
        assert_eq!(top(&s, 3), ["x", "", "    y"]);
        let s = screen("\x1b[7mA\x1b[0mB\x1b[?25l\x1b[99;99HZ");
        assert_eq!(&s.inverse()[0][..2], [true, false]);
        assert_eq!(s.rows()[24].chars().last(), Some('Z'));
        assert_eq!(top(&screen("abc\x1b[1;2H\x1b[1J"), 1), ["  c"]);
    }

    #[test]
    fn it_wraps_and_scrolls() {
        let s = screen(&"x".repeat(81));
        assert_eq!(s.cursor(), (1, 1));
        let s = screen(&(0..30).map(|i| format!("{i}\r\n")).collect::<String>());
        assert_eq!(s.scrolled(), 6);
        assert_eq!(top(&s, 1), ["6"]);
    }

    #[test]
    fn any_bytes_are_borne() {
        let mut s = TextScreen::default();
        let mut n = 12345u32;
        for _ in 0..200_000 {
            n = n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let byte = (n >> 24) as u8;
            s.put(if byte & 0x60 == 0x60 {
                [0x1b, b'[', b';', b'9', b'H', b'm', b'J', b'K'][usize::from(byte & 7)]
            } else {
                byte
            });
        }
        assert_eq!(s.rows().len(), ROWS);
    }
}
