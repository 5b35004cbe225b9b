//! Other engines: a process that speaks UCI or CECP. Each game has a fresh one, so that none
//! depends on the games before; it has ended, with all that it started, when the game has.

use super::spec::{Protocol, Spec};
use crate::bridge::contest::Player;
use crate::bridge::fault::{Fault, Order};
use crate::bridge::rules::{Game, Move, Position, Record};
use crate::cli::bridge::line;
use std::io::{BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Seconds until an engine must have said what it is.
const START: Duration = Duration::from_secs(20);
/// How long an engine of CECP may take to say its features, if it has any; GNU Chess takes
/// ten seconds and more.
const FEATURES: Duration = Duration::from_secs(40);
/// Time between two looks at signals.
const TICK: Duration = Duration::from_millis(50);
/// How long it may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(300);
/// Longest line of an engine, and most of them for a move.
const LONGEST: u64 = 1 << 16;
const MOST_LINES: usize = 1_000_000;

/// An engine that is started for each game.
pub struct Outside {
    spec: Spec,
    timeout: Duration,
    process: Option<Process>,
}

/// A running one.
struct Process {
    child: Child,
    to: ChildStdin,
    lines: Receiver<String>,
    usermove: bool,
    /// Moves of the game that it knows.
    told: usize,
}

impl Outside {
    pub fn new(spec: &Spec, timeout: Duration) -> Self {
        Self {
            spec: spec.clone(),
            timeout,
            process: None,
        }
    }

    fn start(&self) -> Result<Process, Fault> {
        let words = &self.spec.command;
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        own_group(&mut command);
        let child = command.spawn();
        let mut child =
            child.map_err(|e| Fault::Silent(format!("cannot start {}: {e}", words[0])))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault::Silent("it has no pipes".into()));
        };
        let (send, lines) = sync_channel(1024);
        std::thread::spawn(move || {
            let mut from = BufReader::new(from);
            while let Some(line) = line(&mut from, LONGEST) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Process {
            child,
            to,
            lines,
            usermove: false,
            told: 0,
        })
    }

    fn greet(&self, p: &mut Process, game: Game, start: &Position) -> Result<(), Fault> {
        let mut wait = || Order::Wait;
        match self.spec.protocol {
            Protocol::Uci => {
                p.say("uci")?;
                p.wait(START, &mut wait, |l| (l.trim() == "uciok").then_some(()))?;
                for (name, value) in &self.spec.options {
                    match name.as_str() {
                        "say" => p.say(value)?,
                        _ => p.say(&format!("setoption name {name} value {value}"))?,
                    }
                }
                match game {
                    Game::Chess => {}
                    Game::Chess960 => p.say("setoption name UCI_Chess960 value true")?,
                    Game::Tinyhouse => p.say("setoption name UCI_Variant value tinyhouse")?,
                }
                p.say("ucinewgame")?;
                p.say("isready")?;
                p.wait(START, &mut wait, |l| (l.trim() == "readyok").then_some(()))
            }
            Protocol::Cecp => {
                p.say("xboard")?;
                p.say("protover 2")?;
                let mut usermove = false;
                let done = p.wait(FEATURES, &mut wait, |l| {
                    usermove |= l.contains("usermove=1");
                    (l.starts_with("feature") && l.contains("done=1")).then_some(())
                });
                // An engine of version 1 says nothing.
                match done {
                    Ok(()) | Err(Fault::Silent(_)) => {}
                    Err(fault) => return Err(fault),
                }
                p.usermove = usermove;
                p.say("new")?;
                if game != Game::Chess {
                    p.say(&format!("variant {}", game.xboard()))?;
                }
                p.say("force")?;
                for (name, value) in &self.spec.options {
                    match name.as_str() {
                        "say" => p.say(value)?,
                        _ => p.say(&format!("option {name}={value}"))?,
                    }
                }
                let fen = start.fen();
                if fen != Position::start(game).fen() {
                    p.say(&format!("setboard {fen}"))?;
                }
                if let Some(depth) = self.spec.depth {
                    p.say(&format!("sd {depth}"))?;
                }
                if let Some(time) = self.spec.movetime {
                    p.say(&format!("st {}", time.div_ceil(1000)))?;
                }
                Ok(())
            }
        }
    }

    fn ask(
        &self,
        p: &mut Process,
        record: &Record,
        order: &mut dyn FnMut() -> Order,
    ) -> Result<Move, Fault> {
        let now = record.now();
        let find = |text: &str| {
            let shown: String = text.chars().take(20).collect();
            now.find(text)
                .ok_or_else(|| Fault::Illegal(format!("{shown} is not legal")))
        };
        match self.spec.protocol {
            Protocol::Uci => {
                let mut text = format!("position fen {}", record.start().fen());
                for (n, &m) in record.moves().iter().enumerate() {
                    text += if n == 0 { " moves " } else { " " };
                    text += &record.before(n).text(m);
                }
                p.say(&text)?;
                p.say(&format!("go {}", self.spec.go()))?;
                let best = p.wait(self.timeout, order, |l| {
                    let rest = l.strip_prefix("bestmove")?;
                    Some(rest.split_whitespace().next().unwrap_or("").to_owned())
                })?;
                find(&best)
            }
            Protocol::Cecp => {
                p.say("force")?;
                for n in p.told..record.moves().len() {
                    let text = record.before(n).xboard(record.moves()[n]);
                    let before = if p.usermove { "usermove " } else { "" };
                    p.say(&format!("{before}{text}"))?;
                }
                p.say("go")?;
                let best = p.wait(self.timeout, order, |l| {
                    let line = l.trim();
                    let said = line
                        .strip_prefix("move ")
                        .or(line.strip_prefix("My move is"));
                    if let Some(text) = said {
                        let text = text.trim_matches([' ', ':', '.']);
                        return Some(Ok(text.to_owned()));
                    }
                    let gives_up = line == "resign" || line.contains("resigns");
                    gives_up.then(|| Err(Fault::Resigned("it resigns".into())))
                })??;
                let m = find(&best)?;
                p.told = record.moves().len() + 1;
                Ok(m)
            }
        }
    }
}

impl Player for Outside {
    fn begin(&mut self, game: Game, start: &Position, _: u64) -> Result<(), Fault> {
        self.process = None;
        let mut process = self.start()?;
        self.greet(&mut process, game, start)?;
        self.process = Some(process);
        Ok(())
    }

    fn think(&mut self, record: &Record, order: &mut dyn FnMut() -> Order) -> Result<Move, Fault> {
        let Some(mut process) = self.process.take() else {
            return Err(Fault::Silent("it is not there".into()));
        };
        let m = self.ask(&mut process, record, order)?;
        self.process = Some(process);
        Ok(m)
    }
}

impl Process {
    fn say(&mut self, line: &str) -> Result<(), Fault> {
        let done = writeln!(self.to, "{line}").and_then(|()| self.to.flush());
        done.map_err(|_| Fault::Silent(self.ended()))
    }

    /// Why it says nothing any more.
    fn ended(&mut self) -> String {
        match self.child.try_wait() {
            Ok(Some(status)) => format!("it has ended ({status})"),
            _ => "it has closed its pipe".into(),
        }
    }

    /// The first line that means something.
    fn wait<T>(
        &mut self,
        time: Duration,
        order: &mut dyn FnMut() -> Order,
        mut means: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        let end = Instant::now() + time;
        for _ in 0..MOST_LINES {
            let line = loop {
                if order() == Order::Leave || crate::cli::signals::caught() {
                    return Err(Fault::Left);
                }
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    let text = format!("it does not answer in {} s", time.as_secs());
                    return Err(Fault::Silent(text));
                }
                match self.lines.recv_timeout(left.min(TICK)) {
                    Ok(line) => break line,
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        std::thread::sleep(TICK);
                        return Err(Fault::Silent(self.ended()));
                    }
                }
            };
            if let Some(found) = means(&line) {
                return Ok(found);
            }
            if Instant::now() >= end {
                break;
            }
        }
        Err(Fault::Silent("it says too much".into()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = writeln!(self.to, "quit").and_then(|()| self.to.flush());
        let end = Instant::now() + FAREWELL;
        while Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        end_group(&self.child);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whatever it starts is of its group, and ends with it.
#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(unix)]
fn end_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(not(unix))]
fn end_group(_: &Child) {}
