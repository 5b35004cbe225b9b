//! Where things stand in the window: the machine's screen at the left, beside it what is
//! known of the program, or below it where a screen is too wide for that.

use crate::cli::pixels::{Blocks, Depth, Picture};
use crate::cli::screen;
use crate::diagnostic::text::shown;
use scrimp_isa::Screen;

/// Columns that the text beside the screen wants, and the least that it can do with.
const PANE: usize = 34;
const LEAST_PANE: usize = 22;
/// Columns and rows that a picture needs at least.
const LEAST_PICTURE: (usize, usize) = (40, 20);

/// A screen of more columns is a terminal or a display.
const LEAST_TEXT: usize = 40;
/// Rows that a terminal of the machine needs at least.
const LEAST_TERMINAL: usize = 12;
/// Rows of a pane below the screen.
const LEAST_BELOW: usize = 5;

/// Text at a place of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub x: usize,
    pub y: usize,
    /// With its escape sequences.
    pub text: String,
}

/// How the terminal shows pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// In cells of text.
    Cells(Blocks),
    /// By kitty's protocol.
    Kitty,
    /// As sixels; how many pixels wide and high a cell is.
    Sixel(usize, usize),
}

/// What fills a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub parts: Vec<Part>,
    /// Pixels, and the commands that show them there.
    pub pixels: Option<Part>,
}

/// The machine's screen as far as it is used: it grows with what was shown, so that nothing
/// jumps to and fro.
#[derive(Clone, Debug, Default)]
pub struct Extent {
    columns: usize,
    rows: usize,
}

/// What is to be laid out.
pub struct View<'a> {
    pub screen: &'a Screen,
    pub picture: Option<&'a Picture>,
    pub pixels: Pixels,
    pub depth: Depth,
}

/// The text and the pane in a window of so many columns and rows. `pane` makes the lines
/// beside the screen when told how many there may be.
///
/// # Errors
/// The columns and rows that are needed at least.
pub fn frame(
    view: &View<'_>,
    extent: &mut Extent,
    (width, height): (usize, usize),
    pane: &dyn Fn(usize) -> Vec<String>,
) -> Result<Frame, (usize, usize)> {
    match view.picture {
        Some(picture) => of_picture(view, picture, (width, height), pane),
        None => of_text(view.screen, extent, (width, height), pane),
    }
}

/// A picture of so many pixels in the room there is: as many cells as it has pixels for, in
/// its shape.
fn of_picture(
    view: &View<'_>,
    picture: &Picture,
    (width, height): (usize, usize),
    pane: &dyn Fn(usize) -> Vec<String>,
) -> Result<Frame, (usize, usize)> {
    let (least_columns, least_rows) = LEAST_PICTURE;
    if width < least_columns + 1 + LEAST_PANE || height < least_rows {
        return Err((least_columns + 1 + LEAST_PANE, least_rows));
    }
    // Cells are about twice as high as wide.
    let shape = |rows: usize| 2 * rows * picture.width / picture.height.max(1);
    let room = width - 1 - LEAST_PANE;
    let (columns, rows) = match view.pixels {
        Pixels::Cells(blocks) => {
            let (across, down) = blocks.split();
            let rows = height.min(picture.height.div_ceil(down));
            // Rather a bit too wide than with fewer columns of pixels.
            let fine = picture.width.div_ceil(across).min(shape(rows) * 5 / 4);
            (fine.max(shape(rows)).min(room), rows)
        }
        Pixels::Kitty | Pixels::Sixel(..) => {
            let rows = height - 1;
            let columns = shape(rows).min(room);
            (
                columns,
                (columns * picture.height / (2 * picture.width)).clamp(1, rows),
            )
        }
    };
    let mut frame = Frame::default();
    match view.pixels {
        Pixels::Cells(blocks) => {
            let cells = picture.cells(columns, rows, blocks, view.depth);
            let part = |(y, text)| Part { x: 0, y, text };
            frame.parts.extend(cells.into_iter().enumerate().map(part));
        }
        Pixels::Kitty => {
            let text = picture.kitty(columns, rows);
            frame.pixels = Some(Part { x: 0, y: 0, text });
        }
        Pixels::Sixel(wide, high) => {
            let scale = (columns * wide / picture.width).min(rows * high / picture.height);
            let text = picture.sixel(scale.max(1));
            frame.pixels = Some(Part { x: 0, y: 0, text });
        }
    }
    beside(&mut frame, columns + 1, (width, height), pane);
    Ok(frame)
}

/// Where the text of a machine stands in a window.
struct TextPlan {
    columns: usize,
    /// The first row that is shown, and how many are.
    first: usize,
    rows: usize,
    framed: bool,
    /// The pane stands below, not beside.
    below: bool,
}

impl TextPlan {
    /// `extent` grows with what is used.
    ///
    /// # Errors
    /// The columns and rows that are needed at least.
    fn of(
        screen: &Screen,
        extent: &mut Extent,
        (width, height): (usize, usize),
    ) -> Result<Self, (usize, usize)> {
        let used = |y: &usize| {
            let inverse = screen.inverse.get(*y).is_some_and(|r| r.contains(&true));
            inverse || !screen.text[*y].trim_end().is_empty()
        };
        let rows = screen.text.len();
        let last = (0..rows).rfind(used).map_or(0, |y| y + 1);
        let longest = screen.text.iter().map(|r| r.chars().count()).max();
        let longest = longest.unwrap_or(0);
        // A screen of a machine of its own has its size; a terminal's grows.
        let terminal = longest > LEAST_TEXT;
        let written = screen.text.iter().map(|r| r.trim_end().chars().count());
        let needed = match terminal {
            true => written.max().unwrap_or(0),
            false => longest,
        };
        extent.columns = extent.columns.max(needed);
        extent.rows = extent.rows.max(if terminal { last } else { rows });
        let columns = extent.columns;
        let top = (0..rows).find(used).unwrap_or(0).min(last);
        let needed = match terminal {
            true => LEAST_TERMINAL.min(extent.rows),
            false => last - top,
        };
        let least = (columns + 1 + LEAST_PANE, needed.max(1));
        let below = width < least.0;
        let enough = width >= columns && height >= least.1 + LEAST_BELOW;
        if height < least.1 || (below && !enough) {
            return Err(least);
        }
        let room = extent.rows + 2 <= height && columns + 3 + LEAST_PANE <= width;
        let framed = columns > 0 && room;
        let edge = usize::from(framed);
        let room = height - 2 * edge - if below { LEAST_BELOW } else { 0 };
        Ok(Self {
            columns,
            // The last rows that are used, if there is no room for all.
            first: match extent.rows <= room {
                true => 0,
                false => last.saturating_sub(room),
            },
            rows: extent.rows.min(room),
            framed,
            below,
        })
    }

    /// The rows and the frame around them.
    fn draw(&self, screen: &Screen, frame: &mut Frame) {
        let edge = usize::from(self.framed);
        let bar = "─".repeat(self.columns);
        let mut put = |y: usize, text: String| frame.parts.push(Part { x: 0, y, text });
        if self.framed {
            put(0, format!("┌{bar}┐"));
        }
        for y in 0..self.rows {
            let row = screen.text.get(self.first + y).map_or("", String::as_str);
            let blank = self.columns.saturating_sub(row.chars().count());
            let text = cut(&screen::reversed(screen, self.first + y), self.columns);
            put(
                y + edge,
                match self.framed {
                    true => format!("│{text}{:blank$}│", ""),
                    false => format!("{text}{:blank$}", ""),
                },
            );
        }
        if self.framed {
            put(self.rows + 1, format!("└{bar}┘"));
        }
    }
}

/// Two by two pixels as a sign: the pixel at the left above counts 1, that beside it 2, those
/// below 4 and 8.
const QUADRANTS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// A display's picture in Braille, two rows of it in one, where its window is too low for
/// the rows that it has: each pixel is there. `None` for text, and where all rows fit.
fn dotted(screen: &Screen, (width, height): (usize, usize)) -> Option<Screen> {
    let rows = screen.text.len();
    let columns = screen.text.iter().map(|r| r.chars().count()).max()?;
    let fits = match width > columns + LEAST_PANE {
        true => height >= rows,
        false => height >= rows + LEAST_BELOW,
    };
    if fits || columns <= LEAST_TEXT {
        return None;
    }
    let pixels = |y: usize| -> Option<Vec<usize>> {
        let row = screen.text.get(y).map_or("", String::as_str);
        let inverse = |x: usize| screen.inverse.get(y).and_then(|r| r.get(x)) == Some(&true);
        let cell = |(x, c)| {
            let at = QUADRANTS.iter().position(|q| *q == c)?;
            Some(if inverse(x) { 15 - at } else { at })
        };
        row.chars().enumerate().map(cell).collect()
    };
    let all: Option<Vec<_>> = (0..rows).map(pixels).collect();
    let all = all.filter(|r| r.iter().flatten().any(|p| *p > 0))?;
    // Braille counts its dots downwards, three at the left, three at the right, the last row.
    let sign = |upper: usize, lower: usize| {
        let places = [
            (0, 0),
            (1, 3),
            (2, 1),
            (3, 4),
            (4, 2),
            (5, 5),
            (6, 6),
            (7, 7),
        ];
        let both = upper | lower << 4;
        let set = places.iter().filter(|p| both >> p.0 & 1 == 1);
        match set.map(|p| 1 << p.1).sum() {
            0 => ' ',
            dots => char::from_u32(0x2800 + dots).unwrap_or(' '),
        }
    };
    let joined = |pair: &[Vec<usize>]| {
        let at = |row: Option<&Vec<usize>>, x: usize| row.and_then(|r| r.get(x)).copied();
        let cell = |x| {
            sign(
                at(pair.first(), x).unwrap_or(0),
                at(pair.get(1), x).unwrap_or(0),
            )
        };
        (0..columns).map(cell).collect()
    };
    Some(Screen {
        text: all.chunks(2).map(joined).collect(),
        ..Screen::default()
    })
}

/// The machine's text, in a frame where there is room for one.
fn of_text(
    screen: &Screen,
    extent: &mut Extent,
    (width, height): (usize, usize),
    pane: &dyn Fn(usize) -> Vec<String>,
) -> Result<Frame, (usize, usize)> {
    let dotted = dotted(screen, (width, height));
    let screen = dotted.as_ref().unwrap_or(screen);
    let plan = TextPlan::of(screen, extent, (width, height))?;
    let mut frame = Frame::default();
    plan.draw(screen, &mut frame);
    if plan.below {
        let lines = pane(height - plan.rows).into_iter().zip(plan.rows..height);
        let part = |(line, y): (String, usize)| Part {
            x: 0,
            y,
            text: cut(&line, width),
        };
        frame.parts.extend(lines.map(part));
    } else {
        let x = plan.columns + 2 * usize::from(plan.framed) + 1;
        beside(&mut frame, x, (width, height), pane);
    }
    Ok(frame)
}

/// Puts the pane at a column, as wide as it gets.
fn beside(
    frame: &mut Frame,
    x: usize,
    (width, height): (usize, usize),
    pane: &dyn Fn(usize) -> Vec<String>,
) {
    // Some air, where there is room.
    let x = x + usize::from(width >= x + 1 + PANE);
    for (y, line) in pane(height).into_iter().take(height).enumerate() {
        let text = cut(&line, width - x);
        frame.parts.push(Part { x, y, text });
    }
}

/// Lines of text alone, as far as they fit.
pub fn lines(all: impl Iterator<Item = String>, (width, height): (usize, usize)) -> Frame {
    let part = |(y, line): (usize, String)| Part {
        x: 0,
        y,
        text: cut(&line, width),
    };
    Frame {
        parts: all.take(height).enumerate().map(part).collect(),
        pixels: None,
    }
}

/// Columns of the first of two columns of a list.
const FIRST: usize = 13;

/// A list whole, if the window has the room: long lines go on below, and where there are too
/// many the blank ones go first. What is left out is told.
pub fn list(all: Vec<String>, (width, height): (usize, usize)) -> Frame {
    let mut rows: Vec<String> = all.iter().flat_map(|l| wrapped(l, width)).collect();
    if rows.len() > height {
        rows.retain(|l| !l.is_empty());
    }
    let more = rows.len().saturating_sub(height);
    if more > 0 && height > 1 {
        rows.truncate(height - 1);
        rows.push(format!("{} more lines in a higher window", more + 1));
    }
    lines(rows.into_iter(), (width, height))
}

/// A line of two columns in as many rows as it needs.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = line.to_owned();
    // What is styled is short.
    while rest.chars().count() > width && width > 2 * FIRST && !rest.contains('\x1b') {
        let most = rest.char_indices().nth(width + 1);
        let most = most.map_or(rest.len(), |c| c.0);
        // Not within the first column.
        let at = rest[..most].rfind(' ').filter(|&at| at > FIRST);
        let Some(at) = at else { break };
        out.push(rest[..at].to_owned());
        rest = format!("{:FIRST$}{}", "", rest[at..].trim_start());
    }
    out.push(rest);
    out
}

/// The first `width` characters, escape sequences aside, and an end of style.
pub fn cut(line: &str, width: usize) -> String {
    let mut out = String::new();
    let mut left = width;
    let (mut escape, mut styled) = (false, false);
    for c in line.chars() {
        if c == '\x1b' || escape {
            escape = !(escape && c.is_ascii_alphabetic());
            styled = true;
            out.push(c);
        } else if left > 0 {
            left -= 1;
            out.push(shown(c));
        }
    }
    if styled {
        out.push_str("\x1b[0m");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_have_no_width() {
        assert_eq!(cut("ab\x1b[7mcd\x1b[27mef", 3), "ab\x1b[7mc\x1b[27m\x1b[0m");
    }

    fn text(rows: usize, columns: usize, used: &[(usize, &str)]) -> Screen {
        let mut text = vec![" ".repeat(columns); rows];
        for (y, row) in used {
            text[*y] = format!("{row:columns$}");
        }
        Screen {
            inverse: vec![vec![false; columns]; rows],
            text,
            ..Screen::default()
        }
    }

    fn lay(screen: &Screen, size: (usize, usize)) -> Result<Vec<String>, (usize, usize)> {
        let view = View {
            screen,
            picture: None,
            pixels: Pixels::Cells(Blocks::Halves),
            depth: Depth::None,
        };
        let pane = |n: usize| (0..n).map(|i| format!("line {i} of the pane")).collect();
        let frame = frame(&view, &mut Extent::default(), size, &pane)?;
        let mut out = vec![vec![' '; size.0]; size.1];
        for part in &frame.parts {
            for (i, c) in part.text.chars().enumerate() {
                out[part.y][part.x + i] = c;
            }
        }
        Ok(out.into_iter().map(|r| r.into_iter().collect()).collect())
    }

    #[test]
    fn nothing_of_a_screen_is_lost() {
        // As high as the window: no frame.
        let screen = text(24, 32, &[(0, "top"), (23, "bottom")]);
        let out = lay(&screen, (80, 24)).unwrap();
        assert!(out[0].starts_with("top ") && out[0].contains("line 0 of the pane"));
        assert!(out[23].starts_with("bottom ") && out[23].contains("line 23"));
        let out = lay(&screen, (100, 30)).unwrap();
        assert!(out[0].starts_with('┌') && out[25].starts_with('└'));
        // A terminal's screen of which little is used.
        let screen = text(24, 80, &[(0, "menu"), (12, &"x".repeat(40))]);
        let out = lay(&screen, (80, 24)).unwrap();
        assert!(out[1].contains("menu") && out[13].contains(&"x".repeat(40)));
        // The last rows of one that is full.
        let screen = text(30, 80, &[(0, "first"), (29, "last")]);
        let out = lay(&screen, (80, 24)).unwrap();
        assert!(out[23].starts_with("last ") && !out.concat().contains("first"));
    }

    #[test]
    fn a_list_is_whole_or_says_what_is_missing() {
        let text = |lines: &[&str], size| {
            let all = lines.iter().map(|l| (*l).to_owned()).collect();
            let frame = list(all, size);
            frame.parts.into_iter().map(|p| p.text).collect::<Vec<_>>()
        };
        let long = "1 to 9       plays the side to move";
        assert_eq!(text(&[long], (35, 3)), [long]);
        assert_eq!(
            text(&[long], (30, 3)),
            ["1 to 9       plays the side to", "             move"]
        );
        // No blank where it could go on, and more than a byte for a character.
        assert_eq!(text(&[&"é".repeat(40)], (30, 3)), ["é".repeat(30)]);
        assert_eq!(text(&["é é é é é é é é é é é é é é é é"], (30, 9)).len(), 2);
        assert_eq!(text(&["a", "", "b"], (30, 3)), ["a", "", "b"]);
        assert_eq!(text(&["a", "", "b"], (30, 2)), ["a", "b"]);
        assert_eq!(
            text(&["a", "b", "c", "", "d"], (40, 3)),
            ["a", "b", "2 more lines in a higher window"]
        );
    }

    #[test]
    fn without_a_screen_all_room_is_the_panes() {
        let out = lay(&Screen::default(), (40, 10)).unwrap();
        assert!(
            out[0].trim_start().starts_with("line 0 of the pane"),
            "{out:?}"
        );
        assert!(
            out[0].find('l') <= Some(3) && out[9].contains("line 9"),
            "{out:?}"
        );
    }

    #[test]
    fn a_window_that_is_too_small_is_told_what_is_needed() {
        let screen = text(24, 32, &[(0, "top"), (23, "bottom")]);
        assert_eq!(lay(&screen, (80, 20)), Err((55, 24)));
        assert_eq!(lay(&screen, (50, 24)), Err((55, 24)));
        assert!(lay(&screen, (55, 24)).is_ok());
        // Rows that are blank are not needed.
        let screen = text(24, 32, &[(8, "board"), (19, "bottom")]);
        assert!(lay(&screen, (80, 14)).is_ok());
    }

    #[test]
    fn a_display_in_a_low_window_keeps_each_pixel() {
        let last = "▄".repeat(64);
        let rows = |first, second| text(32, 64, &[(0, first), (1, second), (31, &last)]);
        // Single pixels; a row; all of a cell; a column.
        let screen = rows("▘▖  ▀█▐", "  ▘▖ █▐");
        let out = lay(&screen, (80, 24)).unwrap();
        let row: String = out[0].chars().take(7).collect();
        assert_eq!(row, "⠁⠂⠄⡀⠉⣿⢸");
        assert!(out[15].starts_with('⣀'), "{out:?}");
        assert!(out[16].starts_with("line 0 of the pane") && out[23].starts_with("line 7"));
        // Where there is room they are blocks; a screen with letters stays as it is.
        assert!(lay(&screen, (80, 40)).unwrap()[0].starts_with("▘▖  ▀█▐"));
        assert!(lay(&screen, (120, 34)).unwrap()[1].starts_with("│▘▖  ▀█▐"));
        let out = lay(&rows("▘▖  A", ""), (80, 24)).unwrap();
        assert!(!out.concat().contains('⣀'), "{out:?}");
    }

    #[test]
    fn beside_a_wide_screen_is_no_room_so_the_pane_is_below() {
        let screen = text(16, 64, &[(0, &"a".repeat(64)), (15, &"z".repeat(64))]);
        let out = lay(&screen, (80, 24)).unwrap();
        assert!(out[0].starts_with("aaa") && out[15].starts_with("zzz"));
        assert!(out[16].starts_with("line 0 of the pane") && out[23].starts_with("line 7"));
        assert_eq!(lay(&screen, (80, 16)), Err((87, 12)));
        assert_eq!(lay(&screen, (60, 24)), Err((87, 12)));
    }
}
