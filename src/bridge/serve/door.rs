//! The program and the other side, whichever protocol they speak.

use crate::bridge::fault::{Fault, Order};
use crate::bridge::rules::{Game, Position, Record};
use crate::bridge::seat::{Seat, Thought, Told};
use crate::diagnostic::text::thousands;
use std::collections::VecDeque;
use std::time::Instant;

/// Most lines that wait while the program thinks.
const MOST_WAITING: usize = 1000;
/// Longest part of a line that is told back.
const SHOWN: usize = 60;

/// What comes from the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its end.
    Line(String),
    /// Nothing yet.
    Nothing,
    /// Nothing any more.
    End,
}

/// The other side.
pub trait Wire {
    /// The next line; without one it waits for it if told so.
    fn next(&mut self, wait: bool) -> Input;
    /// Sends a line.
    fn say(&mut self, line: &str);
}

/// What a line that comes while the program thinks does.
pub(super) enum Meanwhile {
    /// It waits.
    Later,
    /// It is done.
    Done,
    /// The program shall move.
    Move,
    /// The program's move is no longer wanted; the line comes next.
    Leave,
}

/// A program and who talks with it.
pub(super) struct Door<'a> {
    pub seat: &'a mut Seat,
    pub wire: &'a mut dyn Wire,
    pub waiting: VecDeque<String>,
    pub ended: bool,
    pub record: Record,
    pub usual: u8,
}

/// A line as it is told back.
pub(super) fn short(line: &str) -> String {
    let clean = line.chars().filter(|c| !c.is_control());
    clean.take(SHOWN).collect()
}

impl Door<'_> {
    pub fn say(&mut self, line: &str) {
        self.wire.say(line);
    }

    /// The next line; nothing when there will be none.
    pub fn line(&mut self) -> Option<String> {
        if let Some(line) = self.waiting.pop_front() {
            return Some(line);
        }
        if self.ended {
            return None;
        }
        match self.wire.next(true) {
            Input::Line(line) => Some(line),
            Input::Nothing | Input::End => None,
        }
    }

    /// The program's move; what comes meanwhile `hears` decides about.
    pub fn think(
        &mut self,
        hears: &mut dyn FnMut(&str, &mut dyn Wire) -> Meanwhile,
    ) -> Result<(Thought, u128), Fault> {
        let begin = Instant::now();
        let (wire, waiting, ended) = (&mut *self.wire, &mut self.waiting, &mut self.ended);
        let mut hurry = false;
        let mut order = || {
            while waiting.len() < MOST_WAITING && !*ended {
                match wire.next(false) {
                    Input::Nothing => break,
                    // What was asked for is still answered.
                    Input::End => *ended = true,
                    Input::Line(line) => match hears(&line, wire) {
                        Meanwhile::Done => {}
                        Meanwhile::Later => waiting.push_back(line),
                        Meanwhile::Move => hurry = true,
                        Meanwhile::Leave => {
                            waiting.push_back(line);
                            return Order::Leave;
                        }
                    },
                }
            }
            match hurry || *ended {
                true => Order::Move,
                false => Order::Wait,
            }
        };
        let thought = self.seat.think(&self.record, &mut order)?;
        Ok((thought, begin.elapsed().as_millis()))
    }

    /// What a thought took, in words.
    pub fn took(&self, thought: &Thought) -> String {
        let how = match thought.told {
            Told::Typed => "typed on its keys",
            Told::Written => "position put into its memory",
            Told::Replayed => "all moves typed",
        };
        format!(
            "{:.2} s of the machine, {} clocks; {how}",
            thought.clocks as f64 / self.seat.clock() as f64,
            thousands(thought.clocks)
        )
    }

    /// A new game.
    pub fn begin(&mut self, game: Game, start: Position) {
        self.record = Record::new(game, start);
        self.seat.begin(0);
    }

    /// Sets the level for one move: told, or by the time that there is.
    pub fn choose(&mut self, level: Option<u8>, seconds: Option<f64>) {
        let level = match (level, seconds) {
            (Some(level), _) => level,
            (None, Some(s)) if !self.seat.levels().is_empty() => self.seat.level_for(s),
            _ => self.usual,
        };
        self.seat.set_level(level);
    }
}
