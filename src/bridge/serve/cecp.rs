//! CECP, the protocol of XBoard, version 2 and what version 1 has of it.

use super::clock::Clock;
use super::door::{Door, Meanwhile, short};
use crate::bridge::fault::Fault;
use crate::bridge::rules::{Game, Position};
use crate::bridge::seat::Thought;

/// What XBoard has told.
struct State {
    /// Which game.
    game: Game,
    /// The side that the program plays; nothing in force mode.
    plays: Option<bool>,
    /// Its thoughts are wanted.
    post: bool,
    /// Moves a session, minutes for them, seconds more for each.
    clock: Clock,
    session: u32,
    /// Level by `sd`.
    depth: Option<u8>,
    /// Nobody moves any more.
    over: bool,
    /// It is to end.
    quits: bool,
}

pub fn serve(door: &mut Door<'_>, announced: bool) {
    let game = door.seat.game();
    let mut state = State {
        game: usual(game),
        plays: Some(false),
        post: false,
        clock: Clock::default(),
        session: 0,
        depth: None,
        over: false,
        quits: false,
    };
    door.begin(state.game, Position::start(state.game));
    if announced {
        door.say("");
    }
    while !state.quits {
        let Some(line) = door.line() else {
            return;
        };
        command(door, &mut state, &line);
        answer(door, &mut state);
    }
}

/// The game before `variant` is said.
fn usual(game: Game) -> Game {
    match game {
        Game::Chess960 => Game::Chess,
        game => game,
    }
}

fn features(door: &mut Door<'_>) {
    let name = door.seat.name.replace('"', "");
    let variants = match door.seat.game() {
        Game::Chess => "normal",
        Game::Chess960 => "normal,fischerandom",
        Game::Tinyhouse => "tinyhouse",
    };
    door.say("feature done=0");
    door.say(&format!(
        "feature myname=\"scrimp {name}\" variants=\"{variants}\""
    ));
    door.say(
        "feature setboard=1 usermove=1 playother=1 ping=1 reuse=1 draw=1 colors=0 san=0 \
         sigint=0 sigterm=0 analyze=0 pause=0 nps=0 memory=0 smp=0 debug=1",
    );
    let levels = door.seat.levels().len();
    if levels > 1 {
        let usual = door.usual;
        door.say(&format!(
            "feature option=\"Level -spin {usual} 1 {levels}\""
        ));
    }
    door.say("feature done=1");
}

fn command(door: &mut Door<'_>, state: &mut State, line: &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match word {
        "" | "xboard" | "accepted" | "rejected" | "random" | "hard" | "easy" | "computer"
        | "name" | "rating" | "ics" | "otim" | "hint" | "bk" | "." | "?" | "memory" | "cores"
        | "egtpath" => {}
        // The program offers nothing and takes nothing that is offered.
        "draw" => {}
        "protover" => features(door),
        "quit" => state.quits = true,
        "ping" => door.say(&format!("pong {}", short(rest))),
        "post" => state.post = true,
        "nopost" => state.post = false,
        "new" => {
            state.game = usual(door.seat.game());
            begin(door, state, Position::start(state.game));
            state.plays = Some(false);
            state.depth = None;
            state.clock = Clock::default();
        }
        "variant" => variant(door, state, rest),
        "setboard" => match Position::read(state.game, rest) {
            Ok(start) => begin(door, state, start),
            Err(why) => door.say(&format!("tellusererror Illegal position: {why}")),
        },
        "force" => state.plays = None,
        "go" => state.plays = Some(door.record.now().white()),
        "playother" => state.plays = Some(!door.record.now().white()),
        "result" => {
            state.over = true;
            state.plays = None;
        }
        "undo" => back(door, state, 1),
        "remove" => back(door, state, 2),
        "level" => level(door, state, rest),
        "st" => state.clock.exact = number(rest),
        "sd" => state.depth = number(rest).map(|n| n.clamp(1.0, 99.0) as u8),
        "time" => state.clock.left = number(rest).map(|n| n / 100.0),
        "option" => option(door, rest),
        "usermove" => user_move(door, state, rest),
        _ if door.record.now().find(word).is_some() || looks_like_move(word) => {
            user_move(door, state, word);
        }
        _ => {
            let line = short(line);
            door.say(&format!("Error (unknown command): {line}"));
        }
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse()
        .ok()
        .filter(|n: &f64| n.is_finite() && *n >= 0.0)
}

fn looks_like_move(word: &str) -> bool {
    let square = |b: &[u8]| b[0].is_ascii_lowercase() && b[1].is_ascii_digit();
    let b = word.as_bytes();
    (4..=5).contains(&b.len()) && square(b) && square(&b[2..])
}

fn begin(door: &mut Door<'_>, state: &mut State, start: Position) {
    door.begin(state.game, start);
    state.over = false;
}

fn variant(door: &mut Door<'_>, state: &mut State, name: &str) {
    let own = door.seat.game();
    let game = [Game::Chess, own].into_iter().find(|g| g.xboard() == name);
    let game = game.filter(|&g| g == own || usual(own) == g);
    let Some(game) = game else {
        let name = short(name);
        return door.say(&format!("Error (unsupported variant): {name}"));
    };
    state.game = game;
    let start = Position::start(game);
    if game == Game::Tinyhouse {
        let fen = start.fen();
        door.say(&format!(
            "setup (PHFW........~~~~Kphfw........~~~~k) 4x4+5_crazyhouse {fen}"
        ));
        for men in ["P& fmWfceF", "F& F", "H& nN", "W& W", "K& K"] {
            door.say(&format!("piece {men}"));
        }
    }
    begin(door, state, start);
}

fn back(door: &mut Door<'_>, state: &mut State, plies: usize) {
    let there = door.record.moves().len() >= plies;
    if !there {
        return door.say("Error (no move to take back): undo");
    }
    for _ in 0..plies {
        door.record.undo();
    }
    state.over = false;
}

/// `level 40 5 0`, `level 0 5:30 2`
fn level(door: &mut Door<'_>, state: &mut State, rest: &str) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let read = || {
        let [moves, base, bonus] = words[..] else {
            return None;
        };
        let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
        let left = number(minutes)? * 60.0 + number(seconds)?;
        Some((number(moves)?.min(1000.0) as u32, left, number(bonus)?))
    };
    let Some((moves, left, bonus)) = read() else {
        let rest = short(rest);
        return door.say(&format!(
            "Error (moves, time, increment are expected): level {rest}"
        ));
    };
    state.session = moves;
    state.clock = Clock {
        left: Some(left),
        bonus,
        ..Clock::default()
    };
}

fn option(door: &mut Door<'_>, rest: &str) {
    let levels = door.seat.levels().len();
    let value = rest
        .strip_prefix("Level=")
        .and_then(|v| v.trim().parse().ok());
    match value {
        Some(n) if (1..=levels).contains(&usize::from(n)) => door.usual = n,
        _ => {
            let rest = short(rest);
            door.say(&format!("Error (no such option or value): {rest}"));
        }
    }
}

fn user_move(door: &mut Door<'_>, state: &mut State, text: &str) {
    if state.over {
        let text = short(text);
        return door.say(&format!("Illegal move (the game is over): {text}"));
    }
    if state.plays == Some(door.record.now().white()) {
        let text = short(text);
        return door.say(&format!("Illegal move (it is not your turn): {text}"));
    }
    match door.record.now().find(text) {
        Some(m) => {
            door.record.play(m);
            end(door, state);
        }
        None => {
            let text = short(text);
            door.say(&format!("Illegal move: {text}"));
        }
    }
}

/// Tells the end of a game.
fn end(door: &mut Door<'_>, state: &mut State) {
    if let Some(end) = door.record.end() {
        state.over = true;
        door.say(&format!("{} {{{}}}", end.result(), end.text()));
    }
}

/// Moves if it is the program's turn.
fn answer(door: &mut Door<'_>, state: &mut State) {
    let white = door.record.now().white();
    if state.plays != Some(white) || state.over || state.quits {
        return;
    }
    if let Some(end) = door.record.end() {
        state.over = true;
        return door.say(&format!("{} {{{}}}", end.result(), end.text()));
    }
    let mut clock = state.clock;
    let played = door.record.moves().len() as u32 / 2;
    if state.session > 0 {
        clock.moves = Some(state.session - played % state.session);
    }
    let depth = state.depth;
    door.choose(depth, clock.seconds());
    let thought = door.think(&mut |line, _| match line.split_whitespace().next() {
        Some("?") => Meanwhile::Move,
        Some("quit" | "force" | "new" | "setboard" | "result" | "undo" | "remove" | "variant") => {
            Meanwhile::Leave
        }
        _ => Meanwhile::Later,
    });
    match thought {
        Ok((thought, wall)) => {
            moved(door, state, &thought, wall);
        }
        // The line that ended it is the next one.
        Err(Fault::Left) => {}
        Err(Fault::Cannot(why)) => {
            door.say(&format!("tellusererror {why}"));
            state.plays = None;
        }
        Err(fault) => {
            let winner = if white { "0-1" } else { "1-0" };
            door.say(&format!("# {fault}"));
            door.say(&format!("tellusererror {fault}"));
            door.say(&format!(
                "{winner} {{{} resigns}}",
                if white { "White" } else { "Black" }
            ));
            state.over = true;
        }
    }
}

fn moved(door: &mut Door<'_>, state: &mut State, thought: &Thought, wall: u128) {
    let position = door.record.now();
    let (text, san) = (position.xboard(thought.play), position.san(thought.play));
    let took = door.took(thought);
    let level = door.seat.level();
    door.say(&format!("# {took}"));
    if state.post {
        door.say(&format!("{level} 0 {} 0 {san}", wall / 10));
    }
    door.record.play(thought.play);
    door.say(&format!("move {text}"));
    end(door, state);
}
