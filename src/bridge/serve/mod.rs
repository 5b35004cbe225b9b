//! The two protocols: lines come in, lines go out, and between them the program moves. Which
//! protocol it is the first line says: `uci`, or `xboard`.

mod cecp;
mod clock;
mod door;
mod uci;

pub use door::{Input, Wire};

use super::rules::{Position, Record};
use super::seat::Seat;
use door::{Door, short};
use std::collections::VecDeque;

/// Serves a program until the other side ends it.
pub fn serve(seat: &mut Seat, wire: &mut dyn Wire) {
    let game = seat.game();
    let usual = seat.level();
    let mut door = Door {
        record: Record::new(game, Position::start(game)),
        seat,
        wire,
        waiting: VecDeque::new(),
        ended: false,
        usual,
    };
    while let Some(line) = door.line() {
        match line.split_whitespace().next() {
            Some("uci") => return uci::serve(&mut door),
            Some("xboard") => return cecp::serve(&mut door, true),
            // Protocol 1 has no word for itself.
            Some("quit") => return,
            Some("new" | "protover") => {
                door.waiting.push_front(line);
                return cecp::serve(&mut door, false);
            }
            Some(_) => {
                let line = short(&line);
                door.say(&format!("Error (neither uci nor xboard): {line}"));
            }
            None => {}
        }
    }
}
