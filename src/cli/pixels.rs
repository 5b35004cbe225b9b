//! A picture in a terminal: as pixels where it can show them (kitty's protocol, sixel),
//! elsewhere in cells of two colours that are split into two to eight blocks.

use scrimp_isa::Screen;
use std::fmt::Write as _;

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    None,
    Sixteen,
    Indexed,
    True,
}

impl Depth {
    /// What the environment says of a terminal that is to have colour.
    pub fn of(color: bool, get: impl Fn(&str) -> Option<String>) -> Self {
        let term = get("TERM").unwrap_or_default();
        let wide = get("COLORTERM").unwrap_or_default();
        if !color || term == "dumb" {
            Self::None
        } else if ["truecolor", "24bit"].contains(&wide.as_str())
            || term.ends_with("-direct")
            || get("WT_SESSION").is_some()
        {
            Self::True
        } else if term.contains("256") || term == "xterm-kitty" {
            Self::Indexed
        } else {
            Self::Sixteen
        }
    }

    /// The parameters that set a colour, as foreground (38) or background (48).
    fn parameters(self, ground: u8, color: Rgb) -> String {
        let [r, g, b] = color;
        match self {
            Self::None => String::new(),
            Self::True => format!("{ground};2;{r};{g};{b}"),
            Self::Indexed => format!("{ground};5;{}", indexed(color)),
            Self::Sixteen => {
                let n = nearest(color, SIXTEEN.iter().copied()) as u8;
                let base = ground - 8 + if n < 8 { 0 } else { 60 };
                (base + n % 8).to_string()
            }
        }
    }
}

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// The usual sixteen colours.
const SIXTEEN: [Rgb; 16] = [
    [0, 0, 0],
    [170, 0, 0],
    [0, 170, 0],
    [170, 85, 0],
    [0, 0, 170],
    [170, 0, 170],
    [0, 170, 170],
    [170, 170, 170],
    [85, 85, 85],
    [255, 85, 85],
    [85, 255, 85],
    [255, 255, 85],
    [85, 85, 255],
    [255, 85, 255],
    [85, 255, 255],
    [255, 255, 255],
];

/// Steps of a channel in the cube of 216 colours.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

fn indexed(color: Rgb) -> u8 {
    let step = |c: u8| {
        let off = |s: u8| s.abs_diff(c);
        (0..6u8)
            .min_by_key(|&i| off(STEPS[usize::from(i)]))
            .unwrap_or(0)
    };
    let [r, g, b] = color.map(step);
    16 + 36 * r + 6 * g + b
}

fn distance(a: Rgb, b: Rgb) -> u32 {
    let part = |i: usize| u32::from(a[i].abs_diff(b[i])).pow(2);
    3 * part(0) + 6 * part(1) + part(2)
}

fn nearest(color: Rgb, among: impl Iterator<Item = Rgb>) -> usize {
    let all = among.enumerate();
    all.min_by_key(|&(_, c)| distance(c, color))
        .map_or(0, |(i, _)| i)
}

/// How bright a colour looks, 0 to 2,550.
pub fn brightness(color: Rgb) -> u32 {
    let [r, g, b] = color.map(u32::from);
    3 * r + 6 * g + b
}

/// How finely a cell is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    Halves,
    Quadrants,
    Sextants,
    Braille,
}

impl Blocks {
    /// Columns and rows in a cell.
    pub fn split(self) -> (usize, usize) {
        match self {
            Self::Halves => (1, 2),
            Self::Quadrants => (2, 2),
            Self::Sextants => (2, 3),
            Self::Braille => (2, 4),
        }
    }

    /// The sign whose blocks are those in `set`, row by row from bit 0.
    fn sign(self, set: u32) -> char {
        let from = |base: u32, n: u32| char::from_u32(base + n).unwrap_or(' ');
        match self {
            Self::Halves => [' ', '▀', '▄', '█'][set as usize & 3],
            Self::Quadrants => {
                let signs = [
                    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
                ];
                signs[set as usize & 15]
            }
            Self::Sextants => match set & 63 {
                0 => ' ',
                21 => '▌',
                42 => '▐',
                63 => '█',
                n => from(0x1FB00, n - 1 - u32::from(n > 21) - u32::from(n > 42)),
            },
            Self::Braille => {
                // The dots are numbered by columns, the last row apart.
                let dots = [0, 3, 1, 4, 2, 5, 6, 7];
                let bits = (0..8).filter(|&i| set >> i & 1 == 1);
                from(0x2800, bits.map(|i| 1 << dots[i as usize]).sum())
            }
        }
    }
}

/// Pixels as the machine makes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// Row by row.
    pub pixels: Vec<Rgb>,
}

impl Picture {
    /// The picture of a screen, without its enlargement. Of the lines that a pixel is high
    /// the brightest counts: a machine may leave some out.
    pub fn of(screen: &Screen) -> Self {
        let (width, height) = (screen.width, screen.height);
        let pixel = |x: usize, y: usize| {
            let at = 3 * (y * width + x);
            let c = screen.rgb.get(at..at + 3).unwrap_or(&[0; 3]);
            [c[0], c[1], c[2]]
        };
        let enlarged = |n: usize| {
            let whole = width.is_multiple_of(n) && height.is_multiple_of(n);
            whole
                && (0..height).all(|y| {
                    (0..width / n).all(|x| (1..n).all(|i| pixel(n * x, y) == pixel(n * x + i, y)))
                })
        };
        let n = [4, 3, 2].into_iter().find(|&n| enlarged(n)).unwrap_or(1);
        let (wide, high) = (width / n, height / n);
        let at = |x: usize, y: usize| {
            let lines = (0..n).map(|i| pixel(n * x, n * y + i));
            lines.max_by_key(|&c| brightness(c)).unwrap_or_default()
        };
        let pixels = (0..high).flat_map(|y| (0..wide).map(move |x| at(x, y)));
        Self {
            width: wide,
            height: high,
            pixels: pixels.collect(),
        }
    }

    /// A dark picture of a usual shape.
    pub fn blank() -> Self {
        let (width, height) = (160, 120);
        Self {
            width,
            height,
            pixels: vec![[0; 3]; width * height],
        }
    }

    fn row(&self, y: usize) -> &[Rgb] {
        &self.pixels[y * self.width..(y + 1) * self.width]
    }

    /// What is left without an edge of the colour of its first corner; nothing of a
    /// picture of one colour.
    pub fn cropped(&self) -> Option<Self> {
        let edge = *self.pixels.first()?;
        let used = |y: &usize| self.row(*y).iter().any(|&p| p != edge);
        let top = (0..self.height).find(used)?;
        let bottom = (0..self.height).rfind(used)?;
        let column = |x: &usize| (top..=bottom).any(|y| self.row(y)[*x] != edge);
        let left = (0..self.width).find(column)?;
        let right = (0..self.width).rfind(column)?;
        let rows = (top..=bottom).flat_map(|y| self.row(y)[left..=right].to_vec());
        Some(Self {
            width: right - left + 1,
            height: bottom - top + 1,
            pixels: rows.collect(),
        })
    }

    /// The mean colour of a part, given in fractions of the whole.
    pub fn mean(&self, (x, wide): (usize, usize), (y, high): (usize, usize)) -> Rgb {
        let part = |i: usize, n: usize, size: usize| {
            let first = i * size / n;
            first..((i + 1) * size / n).max(first + 1)
        };
        let across = part(x, wide, self.width);
        let (mut sum, mut count) = ([0u32; 3], 0);
        for y in part(y, high, self.height) {
            for p in &self.row(y)[across.clone()] {
                for (s, &c) in sum.iter_mut().zip(p) {
                    *s += u32::from(c);
                }
                count += 1;
            }
        }
        sum.map(|s| (s / count.max(1)) as u8)
    }

    /// The picture in cells: rows of text with colours.
    pub fn cells(&self, columns: usize, rows: usize, blocks: Blocks, depth: Depth) -> Vec<String> {
        let (across, down) = blocks.split();
        let (wide, high) = (columns * across, rows * down);
        let mean = match depth {
            Depth::None => {
                let all = self.pixels.iter().map(|&p| u64::from(brightness(p)));
                (all.sum::<u64>() / self.pixels.len().max(1) as u64) as u32
            }
            _ => 0,
        };
        let cell = |column: usize, row: usize| -> Vec<Rgb> {
            let ys = (0..down).map(|i| row * down + i);
            ys.flat_map(|y| (0..across).map(move |i| (column * across + i, y)))
                .map(|(x, y)| self.mean((x, wide), (y, high)))
                .collect()
        };
        let line = |row: usize| {
            let mut out = String::new();
            let mut last = None;
            for column in 0..columns {
                let colors = cell(column, row);
                if depth == Depth::None {
                    let set = bits(colors.iter().map(|&c| brightness(c) > mean));
                    out.push(blocks.sign(set));
                    continue;
                }
                let (front, back, set) = two(&colors);
                if last != Some((front, back)) {
                    let (f, b) = (depth.parameters(38, front), depth.parameters(48, back));
                    let _ = write!(out, "\x1b[{f};{b}m");
                    last = Some((front, back));
                }
                out.push(blocks.sign(set));
            }
            if last.is_some() {
                out.push_str("\x1b[0m");
            }
            out
        };
        (0..rows).map(line).collect()
    }

    /// The commands of kitty's protocol that show it in so many cells at the cursor.
    pub fn kitty(&self, columns: usize, rows: usize) -> String {
        /// Most characters of data in a command.
        const MOST: usize = 4096;
        let bytes: Vec<u8> = self.pixels.concat();
        let data = base64(&bytes);
        let mut out = String::new();
        let mut chunks = data.as_bytes().chunks(MOST).peekable();
        let mut head = format!(
            "a=T,q=2,f=24,i=1,p=1,C=1,s={},v={},c={columns},r={rows},",
            self.width, self.height
        );
        while let Some(chunk) = chunks.next() {
            let more = u8::from(chunks.peek().is_some());
            let chunk = String::from_utf8_lossy(chunk);
            let _ = write!(out, "\x1b_G{head}m={more};{chunk}\x1b\\");
            head.clear();
        }
        out
    }

    /// The picture as sixels, each pixel `scale` by `scale`.
    pub fn sixel(&self, scale: usize) -> String {
        let mut palette: Vec<Rgb> = Vec::new();
        let mut indexes = Vec::with_capacity(self.pixels.len());
        for &p in &self.pixels {
            let at = palette.iter().position(|&c| c == p);
            indexes.push(match at {
                Some(at) => at,
                None if palette.len() < 256 => {
                    palette.push(p);
                    palette.len() - 1
                }
                None => nearest(p, palette.iter().copied()),
            });
        }
        let (wide, high) = (self.width * scale, self.height * scale);
        let mut out = format!("\x1bP0;1;0q\"1;1;{wide};{high}");
        for (n, color) in palette.iter().enumerate() {
            let [r, g, b] = color.map(|c| u32::from(c) * 100 / 255);
            let _ = write!(out, "#{n};2;{r};{g};{b}");
        }
        for band in (0..high).step_by(6) {
            let lines = (band..high.min(band + 6)).map(|y| y / scale * self.width);
            let lines: Vec<usize> = lines.collect();
            for n in 0..palette.len() {
                let column = |x: usize| bits(lines.iter().map(|&l| indexes[l + x] == n)) as u8;
                let columns: Vec<u8> = (0..self.width).map(column).collect();
                if columns.iter().all(|&c| c == 0) {
                    continue;
                }
                let _ = write!(out, "#{n}");
                for run in columns.chunk_by(|a, b| a == b) {
                    let _ = write!(out, "!{}{}", run.len() * scale, char::from(run[0] + 63));
                }
                out.push('$');
            }
            out.push('-');
        }
        out + "\x1b\\"
    }
}

/// Bit 0 is the first.
fn bits(all: impl Iterator<Item = bool>) -> u32 {
    all.enumerate().map(|(i, b)| u32::from(b) << i).sum()
}

/// The two colours that stand best for all, and where the first is.
fn two(colors: &[Rgb]) -> (Rgb, Rgb, u32) {
    let pairs = colors
        .iter()
        .flat_map(|&a| colors.iter().map(move |&b| (a, b)));
    let apart = pairs.max_by_key(|&(a, b)| (distance(a, b), brightness(a)));
    let (a, b) = apart.unwrap_or_default();
    if a == b {
        return (a, a, 0);
    }
    let near_a: Vec<bool> = colors
        .iter()
        .map(|&c| distance(c, a) < distance(c, b))
        .collect();
    let mean = |wanted: bool| {
        let of = colors.iter().zip(&near_a).filter(|(_, n)| **n == wanted);
        let of: Vec<Rgb> = of.map(|(c, _)| *c).collect();
        let channel = |i: usize| {
            let sum: usize = of.iter().map(|c| usize::from(c[i])).sum();
            (sum / of.len().max(1)) as u8
        };
        [channel(0), channel(1), channel(2)]
    };
    (mean(true), mean(false), bits(near_a.iter().copied()))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            match i <= group.len() {
                true => out.push(char::from(DIGITS[(word >> (18 - 6 * i) & 63) as usize])),
                false => out.push('='),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Rgb = [255, 255, 255];
    const O: Rgb = [0, 0, 0];

    fn picture(width: usize, pixels: &[Rgb]) -> Picture {
        Picture {
            width,
            height: pixels.len() / width,
            pixels: pixels.to_vec(),
        }
    }

    #[test]
    fn colours_are_those_that_the_terminal_has() {
        let depth = |color, term: &str, wide: &str| {
            let (term, wide) = (term.to_owned(), wide.to_owned());
            Depth::of(color, move |name| match name {
                "TERM" => Some(term.clone()),
                "COLORTERM" => Some(wide.clone()).filter(|w| !w.is_empty()),
                _ => None,
            })
        };
        assert_eq!(depth(false, "xterm-256color", "truecolor"), Depth::None);
        assert_eq!(depth(true, "dumb", "truecolor"), Depth::None);
        assert_eq!(depth(true, "xterm-256color", "truecolor"), Depth::True);
        assert_eq!(depth(true, "xterm-256color", ""), Depth::Indexed);
        assert_eq!(depth(true, "linux", ""), Depth::Sixteen);
        assert_eq!(Depth::Indexed.parameters(38, [255, 0, 0]), "38;5;196");
        assert_eq!(Depth::Sixteen.parameters(38, [250, 80, 90]), "91");
        assert_eq!(Depth::Sixteen.parameters(48, [0, 0, 160]), "44");
    }

    #[test]
    fn an_enlargement_is_undone_and_left_out_lines_count_not() {
        let mut rgb = Vec::new();
        for y in 0..4 {
            for x in 0..8 {
                let lit = y == 0 && x >= 4;
                rgb.extend([if lit { 255 } else { 0 }; 3]);
            }
        }
        let screen = Screen {
            width: 8,
            height: 4,
            rgb,
            ..Screen::default()
        };
        assert_eq!(Picture::of(&screen), picture(2, &[O, X]));
    }

    #[test]
    fn an_edge_is_cropped() {
        let p = picture(4, &[O, O, O, O, O, X, O, O, O, X, X, O, O, O, O, O]);
        assert_eq!(p.cropped(), Some(picture(2, &[X, O, X, X])));
        assert_eq!(picture(2, &[O, O]).cropped(), None);
    }

    #[test]
    fn cells_have_blocks() {
        let p = picture(2, &[X, O, O, X, X, X, O, O]);
        let cell = |b: Blocks| p.cells(1, 1, b, Depth::None).concat();
        assert_eq!(cell(Blocks::Braille), "\u{2835}");
        let p = picture(2, &[X, O, O, X, X, O]);
        let cell = |b: Blocks| p.cells(1, 1, b, Depth::None).concat();
        assert_eq!(cell(Blocks::Sextants), "\u{1fb17}");
        let p = picture(2, &[X, O, O, X]);
        let cell = |b: Blocks| p.cells(1, 1, b, Depth::None).concat();
        assert_eq!(cell(Blocks::Quadrants), "▚");
        let colored = p.cells(1, 1, Blocks::Quadrants, Depth::True);
        assert_eq!(colored, ["\x1b[38;2;255;255;255;48;2;0;0;0m▚\x1b[0m"]);
        // All sixty-four are different signs.
        let mut signs: Vec<char> = (0..64).map(|n| Blocks::Sextants.sign(n)).collect();
        assert_eq!((signs[1], signs[62]), ('\u{1fb00}', '\u{1fb3b}'));
        signs.sort_unstable();
        signs.dedup();
        assert_eq!(signs.len(), 64);
    }

    #[test]
    fn pixels_for_kitty_and_sixel() {
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(b"Ma"), "TWE=");
        assert_eq!(base64(b"M"), "TQ==");
        let p = picture(2, &[X, O]);
        let shown = "\x1b_Ga=T,q=2,f=24,i=1,p=1,C=1,s=2,v=1,c=10,r=5,m=0;////AAAA\x1b\\";
        assert_eq!(p.kitty(10, 5), shown);
        let shown = "\x1bP0;1;0q\"1;1;4;2#0;2;100;100;100#1;2;0;0;0#0!2B!2?$#1!2?!2B$-\x1b\\";
        assert_eq!(p.sixel(2), shown);
    }

    /// Six bits of each character, four characters three bytes.
    fn from_base64(text: &str) -> Vec<u8> {
        let value = |c: u8| match c {
            b'A'..=b'Z' => Some(c - b'A'),
            b'a'..=b'z' => Some(c - b'a' + 26),
            b'0'..=b'9' => Some(c - b'0' + 52),
            b'+' => Some(62),
            b'/' => Some(63),
            _ => None,
        };
        let mut out = Vec::new();
        let (mut word, mut bits) = (0u32, 0);
        for v in text.bytes().map_while(value) {
            word = word << 6 | u32::from(v);
            bits += 6;
            if bits >= 8 {
                bits -= 8;
                out.push((word >> bits) as u8);
            }
        }
        out
    }

    /// What a terminal with kitty's protocol has after those commands.
    fn from_kitty(text: &str) -> Picture {
        let (mut size, mut data) = ((0, 0), String::new());
        let mut commands = text.split("\x1b\\").filter(|c| !c.is_empty()).peekable();
        while let Some(command) = commands.next() {
            let command = command.strip_prefix("\x1b_G").expect("a command");
            let (keys, chunk) = command.split_once(';').expect("data");
            let key = |name: &str| {
                let mut pairs = keys.split(',').filter_map(|k| k.split_once('='));
                pairs.find(|k| k.0 == name).map(|k| k.1)
            };
            if data.is_empty() {
                assert_eq!((key("a"), key("f")), (Some("T"), Some("24")));
                let number = |n: &str| key(n).and_then(|v| v.parse().ok()).expect("a size");
                size = (number("s"), number("v"));
            }
            assert_eq!(
                key("m"),
                Some(if commands.peek().is_some() { "1" } else { "0" })
            );
            assert!(chunk.len() <= 4096 && chunk.len() % 4 == 0);
            data += chunk;
        }
        let bytes = from_base64(&data);
        let pixels: Vec<Rgb> = bytes.chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
        assert_eq!(pixels.len(), size.0 * size.1);
        picture(size.0, &pixels)
    }

    /// What a terminal with sixels has after them; colours are percents.
    fn from_sixel(text: &str) -> Picture {
        let body = text.strip_prefix("\x1bP0;1;0q").expect("a start");
        let body = body.strip_suffix("\x1b\\").expect("an end").as_bytes();
        let mut at = 0;
        let numbers = |at: &mut usize| {
            let start = *at;
            while body
                .get(*at)
                .is_some_and(|b| b.is_ascii_digit() || *b == b';')
            {
                *at += 1;
            }
            let text = std::str::from_utf8(&body[start..*at]).expect("digits");
            text.split(';')
                .map(|n| n.parse().expect("a number"))
                .collect::<Vec<usize>>()
        };
        let (mut size, mut palette, mut color) = ((0, 0), vec![[0; 3]; 256], 0);
        let (mut x, mut y, mut count) = (0, 0, 1);
        let mut pixels: Vec<Option<[usize; 3]>> = Vec::new();
        while at < body.len() {
            let sign = body[at];
            at += 1;
            match sign {
                b'"' => {
                    let found = numbers(&mut at);
                    size = (found[2], found[3]);
                    pixels = vec![None; size.0 * size.1];
                }
                b'#' => match numbers(&mut at)[..] {
                    [n] => color = n,
                    [n, 2, r, g, b] => palette[n] = [r, g, b],
                    _ => panic!("a colour"),
                },
                b'!' => count = numbers(&mut at)[0],
                b'$' => x = 0,
                b'-' => (x, y) = (0, y + 6),
                63..=126 => {
                    for _ in 0..std::mem::replace(&mut count, 1) {
                        for bit in (0..6).filter(|b| (sign - 63) >> b & 1 == 1) {
                            assert!(x < size.0 && y + bit < size.1, "outside");
                            let p = &mut pixels[(y + bit) * size.0 + x];
                            assert_eq!(*p, None, "drawn twice");
                            *p = Some(palette[color]);
                        }
                        x += 1;
                    }
                }
                other => panic!("{other}"),
            }
        }
        let color = |p: &Option<[usize; 3]>| {
            let percent = p.expect("every pixel is drawn");
            percent.map(|c| ((c * 255).div_ceil(100)) as u8)
        };
        let pixels: Vec<Rgb> = pixels.iter().map(color).collect();
        picture(size.0, &pixels)
    }

    #[test]
    fn kitty_and_sixel_show_what_was_meant() {
        let mut state = 1u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for (width, height, colors) in [(1, 1, 1), (7, 13, 5), (160, 120, 64), (33, 6, 2)] {
            let palette: Vec<Rgb> = (0..colors)
                .map(|_| [random(256) as u8, random(256) as u8, random(256) as u8])
                .collect();
            let pixels: Vec<Rgb> = (0..width * height)
                .map(|_| palette[random(colors) as usize])
                .collect();
            let p = picture(width as usize, &pixels);
            assert_eq!(from_kitty(&p.kitty(80, 24)), p);
            for scale in [1, 3] {
                let shown = from_sixel(&p.sixel(scale));
                let wide = width as usize * scale;
                assert_eq!((shown.width, shown.height), (wide, height as usize * scale));
                for (i, c) in shown.pixels.iter().enumerate() {
                    let (x, y) = (i % wide / scale, i / wide / scale);
                    let meant = p.pixels[y * width as usize + x];
                    let near = |a: &u8, b: &u8| a.abs_diff(*b) <= 3;
                    assert!(
                        c.iter().zip(&meant).all(|(a, b)| near(a, b)),
                        "{c:?} {meant:?}"
                    );
                }
            }
        }
    }
}
