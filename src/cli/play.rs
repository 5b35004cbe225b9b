//! `scrimp play`: the machine's screen in the terminal, keys typed to it, and
//! beside it the bytes, the clock and the routine that runs.

use super::args::PlayArgs;
use super::power::{self, Running};
use super::terminal::{Terminal, fit};
use super::{Failure, run, screen, signals};
use crate::report::thousands;
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
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
/// Column of the text beside the screen, after a screen of 32 and its frame.
const PANE: usize = 36;
/// Columns of a picture, the most that fit.
const WIDTHS: [usize; 3] = [160, 120, 80];
/// Routines that are listed.
const LISTED: usize = 13;

/// Plays a program; without a terminal runs it for ten seconds of the machine's time
/// and prints its screen.
pub fn play(args: &PlayArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut running = power::power_on(&args.machine, terminal)?;
    if !(stdin().is_terminal() && stdout().is_terminal()) {
        let frames = UNWATCHED * running.frame();
        let stop = run::run_for(&mut running, frames);
        let text = screen::text(&running.simulation.screen(), terminal.color);
        let farewell = farewell(&running, stop);
        terminal.print_styled(&format!("{text}{}\n", fit(&farewell)))?;
        return running.keep_promises(terminal);
    }
    let mut watch = Watch::new(&running, args.speed);
    let stop = watch
        .run(&mut running)
        .map_err(|e| Failure::Failed(format!("the terminal: {e}")))?;
    terminal.print(&format!("{}\n", farewell(&running, stop)))?;
    running.keep_promises(terminal)
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
    let _ = execute!(stdout(), cursor::Show, LeaveAlternateScreen);
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
    shown: Vec<String>,
}

impl Watch {
    fn new(running: &Running, speed: u32) -> Self {
        Self {
            speed: u64::from(speed),
            keyboard: Keyboard::default(),
            heat: vec![0; running.routines().len()],
            elsewhere: 0,
            now: None,
            last_key: None,
            serial: running.simulation.serial().is_some() && !has_keys(running),
            shown: Vec::new(),
        }
    }

    fn run(&mut self, running: &mut Running) -> std::io::Result<Stop> {
        let _raw = Raw::start()?;
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
                    Event::Key(k) => self.typed(k.code, running),
                    Event::Resize(..) => self.shown.clear(),
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
            _ => return,
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
        let lines = self.lines(running, (usize::from(width), usize::from(height)));
        let mut out = stdout().lock();
        if self.shown.is_empty() {
            queue!(out, Clear(ClearType::All))?;
        }
        self.shown.resize(lines.len(), String::new());
        for (y, line) in lines.into_iter().enumerate().take(usize::from(height)) {
            if self.shown[y] != line {
                let visible = cut(&line, usize::from(width));
                queue!(
                    out,
                    cursor::MoveTo(0, y as u16),
                    Print(visible),
                    Print("\x1b[0m"),
                    Clear(ClearType::UntilNewLine)
                )?;
                self.shown[y] = line;
            }
        }
        out.flush()
    }

    /// The whole picture, for a terminal of that size.
    fn lines(&self, running: &Running, (width, height): (usize, usize)) -> Vec<String> {
        let shown = running.simulation.screen();
        let longest = shown.text.iter().map(|r| r.chars().count()).max();
        let fits = |c: &usize| c + PANE <= width && screen::block_rows(&shown, *c) + 2 <= height;
        let columns = match screen::is_picture(&shown) {
            true => WIDTHS.into_iter().find(fits).unwrap_or(screen::COLUMNS),
            false => longest.unwrap_or(0),
        };
        let bar = "─".repeat(columns);
        let mut left = vec![format!("┌{bar}┐")];
        if screen::is_picture(&shown) {
            let rows = screen::blocks(&shown, columns, true);
            left.extend(rows.iter().map(|row| format!("│{row}│")));
        }
        for (y, row) in shown.text.iter().enumerate() {
            let blank = columns - row.chars().count();
            left.push(format!("│{}{:blank$}│", screen::reversed(&shown, y), ""));
        }
        left.push(format!("└{bar}┘"));
        let right = self.pane(running);
        let gap = PANE.max(columns + 4) - columns - 2;
        let rows = left.len().max(right.len());
        (0..rows)
            .map(|y| {
                let empty = " ".repeat(columns + 2);
                let l = left.get(y).unwrap_or(&empty);
                let r = right.get(y).map_or("", String::as_str);
                format!("{l}{:gap$}{r}", "")
            })
            .collect()
    }

    fn pane(&self, running: &Running) -> Vec<String> {
        let sim = &running.simulation;
        let cycles = running.target.cycle_name();
        let mut out = vec![
            format!("\x1b[1m{}\x1b[22m", running.name),
            running.machine.title().to_owned(),
            String::new(),
        ];
        if let Some(image) = &running.image {
            out.push(format!(
                "{:>9} bytes of code and data",
                thousands(image.stored_len() as u64)
            ));
        }
        out.push(format!(
            "{:>9} bytes in the file",
            thousands(running.file_bytes as u64)
        ));
        out.push(format!("{:>13} {cycles}", thousands(sim.cycles())));
        out.push(match &self.last_key {
            Some((key, at)) => {
                format!("{:>13} since {key}", thousands(sim.cycles() - at))
            }
            None => String::new(),
        });
        if sim.lowest_stack() > 0 {
            out.push(format!("stack down to {:04X}", sim.lowest_stack()));
        }
        out.push(String::new());
        let name = self
            .now
            .map_or("the system", |r| running.routines()[r].name.as_str());
        out.push(format!("running \x1b[1m{name}\x1b[22m"));
        self.list(running, &mut out);
        out.push(String::new());
        let lights = sim.lights();
        if !lights.is_empty() {
            out.push(lamps(&lights));
            out.push(String::new());
        }
        let panel = sim.panel();
        if !panel.is_empty() {
            out.extend(panel);
            out.push(String::new());
        }
        if sim.serial().is_some() {
            let to = if self.serial {
                "the terminal"
            } else {
                "the keys"
            };
            out.push(format!("typing to {to}, Tab changes"));
        }
        out.push("Esc quits".into());
        out
    }

    /// The routines that ran most, with bytes and their share of the time.
    fn list(&self, running: &Running, out: &mut Vec<String>) {
        let total: u32 = self.heat.iter().sum::<u32>() + self.elsewhere;
        let mut order: Vec<usize> = (0..self.heat.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(self.heat[i]));
        order.truncate(LISTED);
        order.sort_unstable();
        for i in order {
            let r = &running.routines()[i];
            let share = (self.heat[i] * 16).checked_div(total).unwrap_or(0);
            let mut line = format!("{:<16.16} {:>5} ", r.name, r.bytes);
            let _ = write!(line, "{}", "█".repeat(share as usize));
            out.push(if self.now == Some(i) {
                format!("\x1b[7m{line}\x1b[27m")
            } else {
                line
            });
        }
    }
}

/// Whether anything that can be typed is a key of the machine.
fn has_keys(running: &Running) -> bool {
    (' '..='~').any(|c| running.simulation.key_for(c).is_some())
}

/// Lamps as dots, red when lit, eight in a group.
fn lamps(lights: &[(String, bool)]) -> String {
    let mut out = String::new();
    for (i, (_, lit)) in lights.iter().enumerate() {
        if i > 0 && i % 8 == 0 {
            out.push(' ');
        }
        out.push_str(if *lit {
            "\x1b[91m●\x1b[39m"
        } else {
            "\x1b[2m○\x1b[22m"
        });
    }
    if let (Some((first, _)), Some((last, _))) = (lights.first(), lights.last()) {
        let _ = write!(out, "  {first} to {last}");
    }
    out
}

/// The first `width` characters, escape sequences aside.
fn cut(line: &str, width: usize) -> String {
    let mut out = String::new();
    let mut left = width;
    let mut escape = false;
    for c in line.chars() {
        if c == '\x1b' || escape {
            escape = !(escape && c.is_ascii_alphabetic());
            out.push(c);
        } else if left > 0 {
            left -= 1;
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn escape_sequences_have_no_width() {
        assert_eq!(cut("ab\x1b[7mcd\x1b[27mef", 3), "ab\x1b[7mc\x1b[27m");
    }
}
