//! UCI: the whole position with each move, options by name.

use super::clock::Clock;
use super::door::{Door, Meanwhile, short};
use crate::bridge::fault::Fault;
use crate::bridge::rules::{Game, Position, Record};

/// What `go` asks for.
#[derive(Default)]
struct Go {
    level: Option<u8>,
    clock: [Clock; 2],
    exact: Option<f64>,
    /// Its move is told only after `stop` or `ponderhit`.
    waits: bool,
    /// What it cannot do.
    ignored: Vec<String>,
}

pub fn serve(door: &mut Door<'_>) {
    introduce(door);
    let mut free = false;
    while let Some(line) = door.line() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else {
            continue;
        };
        match command {
            "uci" => introduce(door),
            "isready" => door.say("readyok"),
            "ucinewgame" => {
                let game = game(door, free);
                door.begin(game, Position::start(game));
            }
            "setoption" => option(door, rest, &mut free),
            "position" => {
                let game = game(door, free);
                if let Err(why) = position(door, game, rest) {
                    door.say(&format!("info string {why}"));
                }
            }
            "go" => {
                if !go(door, rest) {
                    return;
                }
            }
            "quit" => return,
            // Nothing is under way.
            "stop" | "ponderhit" | "debug" | "register" => {}
            _ => {
                let line = short(&line);
                door.say(&format!("info string unknown command: {line}"));
            }
        }
    }
}

fn game(door: &Door<'_>, free: bool) -> Game {
    match door.seat.game() {
        Game::Chess960 if !free => Game::Chess,
        game => game,
    }
}

fn introduce(door: &mut Door<'_>) {
    let name = format!("id name scrimp {}", door.seat.name);
    door.say(&name);
    door.say("id author the authors of scrimp");
    let levels = door.seat.levels().len();
    if levels > 1 {
        let (usual, most) = (door.usual, levels);
        door.say(&format!(
            "option name Level type spin default {usual} min 1 max {most}"
        ));
    }
    match door.seat.game() {
        Game::Chess => {}
        Game::Chess960 => door.say("option name UCI_Chess960 type check default false"),
        Game::Tinyhouse => {
            door.say("option name UCI_Variant type combo default tinyhouse var tinyhouse");
        }
    }
    door.say("uciok");
}

fn option(door: &mut Door<'_>, rest: &[&str], free: &mut bool) {
    let at = rest
        .iter()
        .position(|w| *w == "value")
        .unwrap_or(rest.len());
    let name = rest.get(1..at).unwrap_or(&[]).join(" ");
    let value = rest.get(at + 1..).unwrap_or(&[]).join(" ");
    let levels = door.seat.levels().len();
    match name.to_lowercase().as_str() {
        "level" => match value.parse::<u8>() {
            Ok(n) if (1..=levels).contains(&usize::from(n)) => door.usual = n,
            _ => door.say(&format!("info string Level is a number from 1 to {levels}")),
        },
        "uci_chess960" => *free = value == "true",
        "uci_variant" if value == door.seat.game().uci() => {}
        // What every engine is asked for.
        "hash" | "threads" | "ponder" | "multipv" | "ownbook" | "uci_analysemode" => {}
        _ => {
            let name = short(&name);
            door.say(&format!(
                "info string no such option: {name} {}",
                short(&value)
            ));
        }
    }
}

/// `startpos moves …`, `fen FEN moves …`
fn position(door: &mut Door<'_>, game: Game, rest: &[&str]) -> Result<(), String> {
    let at = rest
        .iter()
        .position(|w| *w == "moves")
        .unwrap_or(rest.len());
    let start = match rest.first() {
        Some(&"startpos") => Position::start(game),
        Some(&"fen") => Position::read(game, &rest[1..at].join(" "))?,
        _ => return Err("position startpos or position fen is expected".into()),
    };
    let mut record = Record::new(game, start);
    for text in rest.get(at + 1..).unwrap_or(&[]) {
        let m = record.now().find(text);
        let m = m.ok_or_else(|| format!("illegal move: {}", short(text)))?;
        record.play(m);
    }
    door.record = record;
    Ok(())
}

/// What `go` says; times are in thousandths of a second.
fn read(rest: &[&str]) -> Go {
    let mut go = Go::default();
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        let mut number = || words.next().and_then(|w| w.parse::<f64>().ok());
        match word {
            "infinite" | "ponder" => go.waits = true,
            "depth" => go.level = number().map(|n| n.clamp(1.0, 99.0) as u8),
            "movetime" => go.exact = number().map(|n| n / 1000.0),
            "wtime" => go.clock[0].left = number().map(|n| n / 1000.0),
            "btime" => go.clock[1].left = number().map(|n| n / 1000.0),
            "winc" => go.clock[0].bonus = number().unwrap_or(0.0).max(0.0) / 1000.0,
            "binc" => go.clock[1].bonus = number().unwrap_or(0.0).max(0.0) / 1000.0,
            "movestogo" => {
                let moves = number().map(|n| n.clamp(1.0, 1000.0) as u32);
                go.clock.iter_mut().for_each(|c| c.moves = moves);
            }
            "nodes" | "mate" => {
                number();
                go.ignored.push(word.into());
            }
            // Moves follow, to the end of the line or the next word of `go`.
            "searchmoves" => go.ignored.push(word.into()),
            _ => {}
        }
    }
    go
}

/// Moves; false when it is to end.
fn go(door: &mut Door<'_>, rest: &[&str]) -> bool {
    let mut go = read(rest);
    for word in std::mem::take(&mut go.ignored) {
        door.say(&format!("info string the program has no {word}"));
    }
    let mut clock = go.clock[usize::from(!door.record.now().white())];
    clock.exact = go.exact;
    door.choose(go.level, clock.seconds());
    let mut quits = false;
    let mut stopped = !go.waits;
    let answer = door.think(&mut |line, wire| match line.split_whitespace().next() {
        Some("quit") => {
            quits = true;
            Meanwhile::Leave
        }
        Some("stop") => {
            stopped = true;
            Meanwhile::Move
        }
        Some("ponderhit") => {
            stopped = true;
            Meanwhile::Done
        }
        Some("isready") => {
            wire.say("readyok");
            Meanwhile::Done
        }
        _ => Meanwhile::Later,
    });
    if quits {
        return false;
    }
    let best = match answer {
        Ok((thought, wall)) => {
            let took = door.took(&thought);
            let level = door.seat.level();
            let text = door.record.now().text(thought.play);
            door.say(&format!(
                "info depth {level} time {wall} pv {text} string {took}"
            ));
            text
        }
        Err(Fault::Left) => return true,
        Err(fault) => {
            door.say(&format!("info string {fault}"));
            "0000".into()
        }
    };
    // The move of an infinite search is told when it is ended.
    while !stopped {
        let Some(line) = door.line() else {
            break;
        };
        match line.split_whitespace().next() {
            Some("stop" | "ponderhit") => stopped = true,
            Some("isready") => door.say("readyok"),
            Some("quit") => return false,
            _ => {}
        }
    }
    door.say(&format!("bestmove {best}"));
    true
}
