//! `scrimp play`: the machine's screen in the terminal, keys typed to it, and
//! beside it the bytes, the clock and the routine that runs.

mod abilities;
mod layout;

use super::args::{PixelKind, PlayArgs};
use super::failure::Failure;
use super::pixels::{Blocks, Depth, Picture};
use super::power;
use super::terminal::{Terminal, fit};
use super::{run, screen, signals};
use crate::diagnostic::text::thousands;
use crate::session::power::Running;
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use layout::{Extent, Frame, Part, Pixels, View};
use scrimp_isa::machine::Stop;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write, stdin, stdout};
use std::time::{Duration, Instant};

/// Frames of the machine's time that pass without a terminal.
const UNWATCHED: u64 = 500;
/// Frames a typed key is down, and then up: terminals do not tell of releases.
const HOLD: u32 = 5;
/// Looks at the program counter in a frame.
const SAMPLES: u64 = 16;
/// Takes all images of kitty's protocol away.
const KITTY_CLEAR: &str = "\x1b_Ga=d,q=2\x1b\\";
/// Routines that are listed.
const LISTED: usize = 13;

/// Plays a program; without a terminal runs it for ten seconds of the machine's time
/// and prints its screen.
pub fn play(args: &PlayArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut running = power::power_on(&args.machine, terminal)?;
    let environment = |name: &str| std::env::var(name).ok();
    let dumb = environment("TERM").is_some_and(|t| t == "dumb");
    if dumb || !(stdin().is_terminal() && stdout().is_terminal()) {
        let frames = UNWATCHED * running.frame();
        let stop = running.run_for(frames);
        let depth = Depth::of(terminal.color, environment);
        let text = screen::text(&running.simulation.screen(), depth);
        let farewell = farewell(&running, stop);
        terminal.print_styled(&format!("{text}{}\n", fit(&farewell)))?;
        return power::keep_promises(&running, terminal);
    }
    let depth = Depth::of(terminal.color, environment);
    let mut watch = Watch::new(&running, args.speed, depth);
    let stop = watch
        .run(&mut running, args.pixels)
        .map_err(|e| Failure::Failed(format!("the terminal: {e}")))?;
    terminal.print(&format!("{}\n", farewell(&running, stop)))?;
    power::keep_promises(&running, terminal)
}

fn farewell(running: &Running, stop: Stop) -> String {
    format!("{}\n{}", bytes(running), run::summary(running, stop))
}

fn bytes(running: &Running) -> String {
    let file = thousands(running.file_bytes as u64);
    match &running.image {
        Some(image) => format!(
            "{}: {} bytes of code and data, {file} in the file",
            running.name,
            thousands(image.stored_len() as u64)
        ),
        None => format!("{}: {file} bytes in the file", running.name),
    }
}

/// Puts the terminal back when it goes, also after a panic.
struct Raw(Option<signals::Guard>);

impl Raw {
    fn start() -> std::io::Result<Self> {
        let raw = Self(Some(signals::hold(Some(restore))));
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        restore();
        // Where a signal has come the process ends here.
        self.0.take();
    }
}

/// Puts the terminal back.
fn restore() {
    let _ = execute!(
        stdout(),
        Print("\x1b[0m"),
        cursor::Show,
        LeaveAlternateScreen
    );
    let _ = disable_raw_mode();
}

/// Keys on their way to the machine, one at a time.
#[derive(Default)]
struct Keyboard {
    waiting: VecDeque<String>,
    down: Option<String>,
    left: u32,
}

impl Keyboard {
    /// A frame passes.
    fn frame(&mut self, running: &mut Running) {
        if self.left > 0 {
            self.left -= 1;
            return;
        }
        if let Some(key) = self.down.take() {
            let _ = running.simulation.key(&key, false);
            self.left = HOLD;
        } else if let Some(key) = self.waiting.pop_front()
            && running.simulation.key(&key, true).is_ok()
        {
            self.down = Some(key);
            self.left = HOLD;
        }
    }
}

struct Watch {
    speed: u64,
    keyboard: Keyboard,
    /// Looks that found each routine in the last second, and those elsewhere.
    heat: Vec<u32>,
    elsewhere: u32,
    /// The routine that was seen last.
    now: Option<usize>,
    last_key: Option<(String, u64)>,
    /// What is typed goes to the serial terminal and not to keys.
    serial: bool,
    /// The list of keys is shown.
    help: bool,
    /// What the window has, and its size then.
    shown: Vec<Part>,
    pixels_shown: Option<Part>,
    size: Option<(usize, usize)>,
    extent: Extent,
    /// The last picture that was not blank.
    picture: Option<Picture>,
    pixels: Pixels,
    /// They are kitty's.
    images: bool,
    depth: Depth,
}

impl Watch {
    fn new(running: &Running, speed: u32, depth: Depth) -> Self {
        Self {
            speed: u64::from(speed),
            keyboard: Keyboard::default(),
            heat: vec![0; running.routines().len()],
            elsewhere: 0,
            now: None,
            last_key: None,
            serial: running.simulation.serial().is_some() && !has_keys(running),
            help: false,
            shown: Vec::new(),
            pixels_shown: None,
            size: None,
            extent: Extent::default(),
            picture: None,
            pixels: Pixels::Cells(Blocks::Halves),
            images: false,
            depth,
        }
    }

    fn run(&mut self, running: &mut Running, wanted: PixelKind) -> std::io::Result<Stop> {
        let _raw = Raw::start()?;
        if screen::is_picture(&running.simulation.screen()) {
            self.pixels = abilities::pixels(wanted, self.depth);
            self.images = self.pixels == Pixels::Kitty;
        }
        let frame = Duration::from_millis(20);
        let mut next = Instant::now();
        let mut frames = 0u64;
        loop {
            while event::poll(next.saturating_duration_since(Instant::now()))? {
                match event::read()? {
                    Event::Key(k) if k.kind == KeyEventKind::Release => {}
                    Event::Key(k)
                        if k.code == KeyCode::Esc
                            || k.code == KeyCode::Char('c')
                                && k.modifiers.contains(KeyModifiers::CONTROL) =>
                    {
                        return Ok(Stop::Cycles);
                    }
                    Event::Key(k) if self.help && k.code != KeyCode::Char('?') => {
                        self.help = false;
                        self.size = None;
                    }
                    Event::Key(k) if k.code == KeyCode::Char('?') && !self.help => {
                        self.help = true;
                        self.size = None;
                    }
                    Event::Key(k) => {
                        self.help = false;
                        self.typed(k.code, running);
                    }
                    Event::Resize(..) => self.size = None,
                    _ => {}
                }
            }
            if signals::caught() {
                return Ok(Stop::Cycles);
            }
            self.keyboard.frame(running);
            for _ in 0..SAMPLES {
                let stop = running
                    .simulation
                    .run(running.frame() * self.speed / SAMPLES);
                match running.routine(running.simulation.pc()) {
                    Some(r) => {
                        self.heat[r] += 1;
                        self.now = Some(r);
                    }
                    None => self.elsewhere += 1,
                }
                if stop == Stop::Halted {
                    self.draw(running)?;
                    return Ok(stop);
                }
            }
            if frames.is_multiple_of(2) {
                self.draw(running)?;
            }
            frames += 1;
            if frames.is_multiple_of(50) {
                for h in self.heat.iter_mut().chain([&mut self.elsewhere]) {
                    *h /= 2;
                }
            }
            next += frame;
            // A machine that is too slow for the clock does not try to catch up.
            if next + 5 * frame < Instant::now() {
                next = Instant::now();
            }
        }
    }

    fn typed(&mut self, code: KeyCode, running: &mut Running) {
        let typed = match code {
            KeyCode::Char(c) => c,
            KeyCode::Enter => '\n',
            KeyCode::Backspace => '\u{8}',
            KeyCode::Delete => '\u{7f}',
            KeyCode::Tab if running.simulation.serial().is_some() => {
                self.serial = !self.serial;
                return;
            }
            KeyCode::Tab => '\t',
            KeyCode::Left => '←',
            KeyCode::Right => '→',
            KeyCode::Up => '↑',
            KeyCode::Down => '↓',
            code => {
                let name = code.to_string();
                let named = running.simulation.named_keys();
                if let Some((_, key)) = named.iter().find(|k| k.0 == name) {
                    self.press(key, running);
                }
                return;
            }
        };
        if self.serial {
            // Terminals send CR for Enter.
            let mut bytes = [0; 4];
            let text = if typed == '\n' {
                "\r"
            } else {
                typed.encode_utf8(&mut bytes)
            };
            if running.simulation.type_serial(text.as_bytes()) {
                self.last_key =
                    Some((text.escape_debug().to_string(), running.simulation.cycles()));
            }
            return;
        }
        if let Some(key) = running.simulation.key_for(typed) {
            self.press(key, running);
        }
    }

    fn press(&mut self, key: &str, running: &mut Running) {
        self.keyboard.waiting.push_back(key.to_owned());
        self.last_key = Some((key.to_owned(), running.simulation.cycles()));
    }

    fn draw(&mut self, running: &Running) -> std::io::Result<()> {
        let (width, height) = crossterm::terminal::size()?;
        let size = (usize::from(width), usize::from(height));
        let frame = match self.help {
            true => self.listed(running, size),
            false => self.frame(running, size),
        };
        let mut out = stdout().lock();
        if self.size != Some(size) {
            self.size = Some(size);
            self.shown.clear();
            self.pixels_shown = None;
            queue!(out, Clear(ClearType::All))?;
        }
        // What has gone: blank where nothing new stands.
        let old = std::mem::take(&mut self.shown);
        let places: Vec<_> = frame.parts.iter().map(|p| (p.x, p.y)).collect();
        if old.iter().any(|p| !places.contains(&(p.x, p.y)))
            || self.pixels_shown.is_some() && frame.pixels.is_none()
        {
            let clear = if self.images { KITTY_CLEAR } else { "" };
            queue!(out, Print(clear), Clear(ClearType::All))?;
            self.pixels_shown = None;
        } else {
            self.shown = old;
        }
        for part in &frame.parts {
            if !self.shown.contains(part) {
                queue!(
                    out,
                    cursor::MoveTo(part.x as u16, part.y as u16),
                    Print(&part.text),
                    Print(if part.x > 0 {
                        "\x1b[0m\x1b[K"
                    } else {
                        "\x1b[0m"
                    }),
                )?;
            }
        }
        if let Some(pixels) = &frame.pixels
            && self.pixels_shown.as_ref() != Some(pixels)
        {
            queue!(
                out,
                cursor::MoveTo(pixels.x as u16, pixels.y as u16),
                Print(&pixels.text)
            )?;
            self.pixels_shown = Some(pixels.clone());
        }
        self.shown = frame.parts;
        out.flush()
    }

    /// The machine and what is known of it, or how large the window must be.
    fn frame(&mut self, running: &Running, size: (usize, usize)) -> Frame {
        let shown = running.simulation.screen();
        if screen::is_picture(&shown) {
            // While it is dark what was last seen counts.
            let picture = Picture::of(&shown).cropped();
            self.picture = picture.or(self.picture.take());
        }
        let blank = Picture::blank();
        let view = View {
            screen: &shown,
            picture: screen::is_picture(&shown).then(|| self.picture.as_ref().unwrap_or(&blank)),
            pixels: self.pixels,
            depth: self.depth,
        };
        let mut extent = std::mem::take(&mut self.extent);
        let pane = |rows: usize| self.pane(running, rows);
        let frame = layout::frame(&view, &mut extent, size, &pane);
        self.extent = extent;
        frame.unwrap_or_else(|least| {
            let lines = [
                format!("The window has {} by {}.", size.0, size.1),
                format!("{} needs {} by {}.", running.name, least.0, least.1),
                "Make it larger; Esc quits".to_owned(),
            ];
            layout::lines(lines.into_iter(), size)
        })
    }

    /// The list of keys.
    fn listed(&self, running: &Running, size: (usize, usize)) -> Frame {
        let sim = &running.simulation;
        let mut lines = vec![
            format!("\x1b[1mKeys of {}\x1b[22m", running.name),
            String::new(),
            "Esc          quits".to_owned(),
            "?            this list; once more types a question mark, other keys go back"
                .to_owned(),
        ];
        if sim.serial().is_some() {
            lines.push("Tab          typing to the terminal, or to the keys".to_owned());
        }
        lines.push(String::new());
        if !running.keys.is_empty() {
            lines.extend(running.keys.iter().map(|l| fit(l).into_owned()));
            lines.push(String::new());
        }
        for (typed, name) in [
            ('↑', "up"),
            ('↓', "down"),
            ('←', "left"),
            ('→', "right"),
            ('\n', "Enter"),
            (' ', "space"),
            ('\u{8}', "Backspace"),
            ('\t', "Tab"),
        ] {
            let key = sim.key_for(typed);
            if let Some(key) = key.filter(|_| typed != '\t' || sim.serial().is_none()) {
                lines.push(format!("{name:<12} {key}"));
            }
        }
        let named = sim.named_keys();
        for (i, (_, key)) in named.iter().enumerate() {
            if named[..i].iter().any(|k| k.1 == *key) {
                continue;
            }
            let same = named.iter().filter(|k| k.1 == *key).map(|k| k.0);
            let names = same.collect::<Vec<_>>().join(", ");
            lines.push(format!("{names:<12} {key}"));
        }
        let same = |c: &char| {
            let key = sim.key_for(*c);
            key.is_some_and(|k| k.eq_ignore_ascii_case(&c.to_string()))
        };
        let plain: String = ('!'..='~')
            .filter(|c| !c.is_ascii_lowercase())
            .filter(same)
            .collect();
        if !plain.is_empty() {
            lines.push(format!("as printed   {}", ranges(&plain)));
        }
        layout::list(lines, size)
    }

    /// At most `rows` lines about the program: what matters most stays in a low window.
    fn pane(&self, running: &Running, rows: usize) -> Vec<String> {
        let sim = &running.simulation;
        let cycles = running.target.cycle_name();
        let mut head = vec![
            format!("\x1b[1m{}\x1b[22m", fit(&running.name)),
            running.machine.title().to_owned(),
            String::new(),
        ];
        if let Some(image) = &running.image {
            let bytes = thousands(image.stored_len() as u64);
            head.push(format!("{bytes:>7} bytes of code and data"));
        }
        let bytes = thousands(running.file_bytes as u64);
        head.push(format!("{bytes:>7} bytes in the file"));
        head.push(format!("{:>11} {cycles}", thousands(sim.cycles())));
        head.push(match &self.last_key {
            Some((key, at)) => {
                let since = thousands(sim.cycles() - at);
                format!("{since:>11} since {}", fit(key))
            }
            None => String::new(),
        });
        if sim.lowest_stack() > 0 {
            head.push(format!("stack down to {:04X}", sim.lowest_stack()));
        }
        let name = self
            .now
            .map_or("the system", |r| running.routines()[r].name.as_str());
        head.push(format!("running \x1b[1m{}\x1b[22m", fit(name)));
        let mut tail = Vec::new();
        let lights = sim.lights();
        if !lights.is_empty() {
            tail.push(lamps(&lights, self.depth));
        }
        tail.extend(sim.panel().iter().map(|l| fit(l).into_owned()));
        if sim.serial().is_some() {
            let to = match self.serial {
                true => "terminal",
                false => "keys",
            };
            tail.push(format!("typing to: {to}, Tab changes"));
        }
        tail.push("? keys  Esc quits".to_owned());
        // The parts and the keys before the routines, those before figures.
        tail.drain(..tail.len().saturating_sub(rows));
        let room = rows.saturating_sub(tail.len());
        head.truncate(room);
        let mut out = head;
        let routines = room.saturating_sub(out.len() + 1).min(LISTED);
        self.list(running, routines, &mut out);
        if out.len() < room {
            out.push(String::new());
        }
        out.extend(tail);
        out
    }

    /// The routines that ran most, with bytes and their share of the time.
    fn list(&self, running: &Running, most: usize, out: &mut Vec<String>) {
        let total: u32 = self.heat.iter().sum::<u32>() + self.elsewhere;
        let mut order: Vec<usize> = (0..self.heat.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(self.heat[i]));
        order.truncate(most);
        order.sort_unstable();
        for i in order {
            let r = &running.routines()[i];
            let share = (self.heat[i] * 16).checked_div(total).unwrap_or(0);
            let mut line = format!("{:<16.16} {:>5} ", fit(&r.name), r.bytes);
            let _ = write!(line, "{}", "█".repeat(share as usize));
            out.push(if self.now == Some(i) {
                format!("\x1b[7m{line}\x1b[27m")
            } else {
                line
            });
        }
    }
}

/// `0-9A-Z+` for all of these.
fn ranges(all: &str) -> String {
    let chars: Vec<char> = all.chars().collect();
    let runs = chars.chunk_by(|a, b| {
        u32::from(*a) + 1 == u32::from(*b) && a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric()
    });
    let run = |r: &[char]| match r {
        [first, _, .., last] => format!("{first} to {last} "),
        few => few.iter().collect(),
    };
    runs.map(run).collect()
}

/// Whether anything that can be typed is a key of the machine.
fn has_keys(running: &Running) -> bool {
    (' '..='~').any(|c| running.simulation.key_for(c).is_some())
}

/// Lamps as dots, red when lit, eight in a group.
fn lamps(lights: &[(String, bool)], depth: Depth) -> String {
    let mut out = String::new();
    for (i, (_, lit)) in lights.iter().enumerate() {
        if i > 0 && i % 8 == 0 {
            out.push(' ');
        }
        out.push_str(match (lit, depth) {
            (true, Depth::None) => "●",
            (true, _) => "\x1b[91m●\x1b[39m",
            (false, _) => "\x1b[2m○\x1b[22m",
        });
    }
    if let (Some((first, _)), Some((last, _))) = (lights.first(), lights.last()) {
        let _ = write!(out, "  {} to {}", fit(first), fit(last));
    }
    out
}
