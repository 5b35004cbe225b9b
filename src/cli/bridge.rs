//! `scrimp bridge`: a program as an engine on standard input and output.

use super::args::BridgeArgs;
use super::failure::Failure;
use super::job;
use super::program;
use super::terminal::Terminal;
use crate::bridge::seat::Seat;
use crate::bridge::serve::{Input, Wire, serve};
use crate::session::power::Power;
use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

/// Longest line that is read: a game of some thousand moves.
const LONGEST: u64 = 1 << 18;
/// Lines that are read ahead.
const AHEAD: usize = 256;

/// Serves a program.
pub fn bridge(args: &BridgeArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut seat = open(args, terminal)?;
    if let Some(level) = args.level {
        let levels = seat.levels().len().max(1);
        if usize::from(level) > levels {
            return Err(Failure::Failed(format!(
                "{} has {levels} level{}",
                seat.name,
                if levels == 1 { "" } else { "s" }
            )));
        }
        seat.set_level(level);
    }
    let mut pipe = Pipe {
        lines: listen(),
        terminal,
        closed: false,
    };
    serve(&mut seat, &mut pipe);
    Ok(())
}

/// Switches a program on.
fn open(args: &BridgeArgs, terminal: &Terminal) -> Result<Seat, Failure> {
    let mut session = program::find_source(&args.program, terminal)?;
    let built = job::build(&mut session, terminal)?;
    let power = Power {
        rom: args.rom.clone(),
        ..Power::default()
    };
    Seat::open(&session, &built, &power).map_err(|r| built.refused(r, terminal))
}

/// Standard input and output.
struct Pipe<'a> {
    lines: Receiver<String>,
    terminal: &'a Terminal,
    closed: bool,
}

impl Wire for Pipe<'_> {
    fn next(&mut self, wait: bool) -> Input {
        if self.closed {
            return Input::End;
        }
        if wait {
            return self.lines.recv().map_or(Input::End, Input::Line);
        }
        match self.lines.try_recv() {
            Ok(line) => Input::Line(line),
            Err(TryRecvError::Empty) => Input::Nothing,
            Err(TryRecvError::Disconnected) => Input::End,
        }
    }

    fn say(&mut self, line: &str) {
        self.closed |= self.terminal.print(&format!("{line}\n")).is_err();
    }
}

/// Reads lines of standard input, in a thread of its own.
fn listen() -> Receiver<String> {
    let (send, lines) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        let mut input = BufReader::new(std::io::stdin());
        while let Some(line) = line(&mut input, LONGEST) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// The next line without its end, cut at so many bytes; what is no text is replaced.
pub fn line(input: &mut impl BufRead, longest: u64) -> Option<String> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(longest).read_until(b'\n', &mut bytes);
    if !matches!(read, Ok(n) if n > 0) {
        return None;
    }
    if bytes.last() != Some(&b'\n') {
        // The rest of a line that is too long is passed over.
        loop {
            let some = input.fill_buf().ok()?;
            if some.is_empty() {
                break;
            }
            let end = some.iter().position(|&b| b == b'\n');
            let used = end.map_or(some.len(), |n| n + 1);
            input.consume(used);
            if end.is_some() {
                break;
            }
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Some(text.trim_end_matches(['\r', '\n']).to_owned())
}
