//! What a terminal can show, by asking it.

use super::layout::Pixels;
use crate::cli::args::PixelKind;
use crate::cli::pixels::{Blocks, Depth};

/// Pixels and cells of a window whose terminal does not tell: a usual font.
const USUAL_CELL: (usize, usize) = (10, 20);

/// How pictures are shown, as wanted or as the terminal can. The terminal is in raw mode.
pub fn pixels(wanted: PixelKind, depth: Depth) -> Pixels {
    match wanted {
        PixelKind::Kitty => Pixels::Kitty,
        PixelKind::Sixel => sixel(),
        PixelKind::Sextants => Pixels::Cells(Blocks::Sextants),
        PixelKind::Quadrants => Pixels::Cells(Blocks::Quadrants),
        PixelKind::Braille => Pixels::Cells(Blocks::Braille),
        PixelKind::Halves => Pixels::Cells(Blocks::Halves),
        PixelKind::Auto => {
            // Pixels have colours, whatever the terminal has for text.
            let answer = match depth {
                Depth::None => String::new(),
                _ => ask(),
            };
            if answer.contains("\x1b_Gi=31;OK") {
                Pixels::Kitty
            } else if has_sixel(&answer) {
                sixel()
            } else if std::env::var("TERM").is_ok_and(|t| t == "linux") {
                // Its font has no finer blocks.
                Pixels::Cells(Blocks::Halves)
            } else {
                Pixels::Cells(Blocks::Sextants)
            }
        }
    }
}

fn sixel() -> Pixels {
    let (wide, high) = match crossterm::terminal::window_size() {
        Ok(w) if w.width > 0 && w.height > 0 && w.columns > 0 && w.rows > 0 => (
            usize::from(w.width / w.columns),
            usize::from(w.height / w.rows),
        ),
        _ => USUAL_CELL,
    };
    Pixels::Sixel(wide.max(1), high.max(1))
}

/// Whether the attributes in an answer have number 4.
fn has_sixel(answer: &str) -> bool {
    let attributes = answer
        .split("\x1b[?")
        .nth(1)
        .and_then(|a| a.split('c').next());
    attributes.is_some_and(|a| a.split(';').any(|n| n == "4"))
}

/// Asks for kitty's protocol and for the attributes, which every terminal answers.
#[cfg(unix)]
fn ask() -> String {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io::{Write, stdin, stdout};
    use std::time::{Duration, Instant};
    /// How long a terminal may take, also one far away.
    const PATIENCE: Duration = Duration::from_millis(400);
    /// Most bytes of an answer.
    const MOST: usize = 4096;
    let question = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";
    let mut out = stdout().lock();
    if out.write_all(question).and_then(|()| out.flush()).is_err() {
        return String::new();
    }
    let (end, mut answer, input) = (Instant::now() + PATIENCE, Vec::new(), stdin());
    while answer.len() < MOST && !answer.ends_with(b"c") {
        let left = end.saturating_duration_since(Instant::now());
        let Ok(left) = Timespec::try_from(left) else {
            break;
        };
        let mut fds = [PollFd::new(&input, PollFlags::IN)];
        if !matches!(poll(&mut fds, Some(&left)), Ok(n) if n > 0) {
            break;
        }
        let mut buffer = [0; 256];
        match rustix::io::read(&input, &mut buffer) {
            Ok(n) if n > 0 => answer.extend_from_slice(&buffer[..n]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[cfg(not(unix))]
fn ask() -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::has_sixel;

    #[test]
    fn attributes() {
        assert!(has_sixel("\x1b[?62;4;22c"));
        assert!(has_sixel("\x1b_Gi=31;OK\x1b\\\x1b[?4c"));
        assert!(!has_sixel("\x1b[?62;14;22c") && !has_sixel("4c") && !has_sixel(""));
    }
}
