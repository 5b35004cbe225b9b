//! `scrimp match`: games between programs and other engines, whole or a part of them, and the
//! parts put together.

mod outside;
mod spec;

use super::args::{MatchArgs, MatchCommand, MatchGame, MergeArgs, ProgramArgs};
use super::failure::Failure;
use super::job;
use super::program;
use super::signals;
use super::terminal::Terminal;
use crate::bridge::contest::{self, Kept, Openings, Plan, Player};
use crate::bridge::fault::Order;
use crate::bridge::rules::Game;
use crate::bridge::seat::Seat;
use crate::disk;
use crate::session::power::Power;
use outside::Outside;
use serde_json::json;
use spec::Who;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most players, and games of each pair.
const MOST_PLAYERS: usize = 32;
/// Longest file of openings, and of games.
const MOST_BYTES: u64 = 1 << 30;
/// How often at most the file is written again on the way.
const WRITES: usize = 50;

/// Plays a match, or puts parts together.
pub fn contest(args: &MatchArgs, terminal: &Terminal) -> Result<(), Failure> {
    match &args.command {
        Some(MatchCommand::Merge(merge_args)) => merge(merge_args, terminal),
        None => run(args, terminal),
    }
}

/// A part of a match: `2/5`.
pub fn shard(text: &str) -> Result<(u32, u32), String> {
    let both = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    let both: Option<(u32, u32)> = both.filter(|&(i, n)| i >= 1 && i <= n);
    both.ok_or_else(|| format!("--shard {text}: I/N is expected, and I from 1 to N"))
}

fn run(args: &MatchArgs, terminal: &Terminal) -> Result<(), Failure> {
    if !(2..=MOST_PLAYERS).contains(&args.players.len()) {
        return Err(Failure::Failed(format!(
            "a match has 2 to {MOST_PLAYERS} players"
        )));
    }
    // Held until all engines have ended, which are dropped before it.
    let _guard = signals::hold(None);
    let part = args.shard.as_deref().map_or(Ok((1, 1)), shard)?;
    let who: Result<Vec<Who>, String> = args.players.iter().map(|p| spec::read(p)).collect();
    let who = who?;
    let timeout = Duration::from_secs(args.timeout);
    let mut players = Vec::new();
    let mut own = Vec::new();
    for one in &who {
        let player: Box<dyn Player> = match one {
            Who::Outside(spec) => Box::new(Outside::new(spec, timeout)),
            Who::Program(name, level) => {
                let seat = open(name, *level, terminal)?;
                own.push((name.clone(), seat.game()));
                Box::new(seat)
            }
        };
        players.push(player);
    }
    let game = game(args.game, &own)?;
    let plan = Plan {
        players: names(&args.players),
        game,
        games: args.games,
        seed: args.seed,
        most_plies: args.most_plies,
        openings: match &args.openings {
            Some(path) => openings(game, path)?,
            None => Openings::Chance(args.plies),
        },
    };
    let mine = (1..=plan.count()).filter(|g| (g - 1) % part.1 == part.0 - 1);
    let mine: Vec<u32> = mine.collect();
    let mut kept = match &args.output {
        Some(path) => resumed(path, &plan)?,
        None => Vec::new(),
    };
    play(args, &plan, &mine, &mut players, &mut kept, terminal)?;
    let text = contest::table(&contest::rows(&kept));
    match args.json {
        true => terminal.print_json(&format!("{:#}\n", summary(&plan, &kept))),
        false => terminal.print(&text),
    }
}

/// Plays what is not there yet.
fn play(
    args: &MatchArgs,
    plan: &Plan,
    mine: &[u32],
    players: &mut [Box<dyn Player>],
    kept: &mut Vec<Kept>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let open: Vec<u32> = mine
        .iter()
        .copied()
        .filter(|n| !kept.iter().any(|k| k.number == *n))
        .collect();
    let every = (open.len() / WRITES).max(1);
    let mut order = || match signals::caught() {
        true => Order::Leave,
        false => Order::Wait,
    };
    for (done, number) in (1..).zip(&open) {
        let pairing = plan.pairing(*number);
        let [white, black] = pairing.seats;
        let (low, high) = players.split_at_mut(white.max(black));
        let (a, b) = (&mut low[white.min(black)], &mut high[0]);
        let (white, black) = if white < black { (a, b) } else { (b, a) };
        let played = contest::play(plan, &pairing, &mut **white, &mut **black, &mut order);
        let Some((record, ended)) = played else {
            return Err(Failure::Failed("the match was left".into()));
        };
        let game = contest::write(plan, &pairing, &record, &ended);
        if !args.quiet {
            terminal.say(&format!(
                "game {number}: {} - {} {} ({}, {} plies)\n",
                game.players[0],
                game.players[1],
                game.result,
                ended.why,
                record.moves().len()
            ));
        }
        kept.push(game);
        kept.sort_by_key(|k| k.number);
        if done % every == 0 || done == open.len() {
            keep(args, kept)?;
        }
    }
    Ok(())
}

/// Writes the games so far.
fn keep(args: &MatchArgs, kept: &[Kept]) -> Result<(), Failure> {
    let Some(path) = &args.output else {
        return Ok(());
    };
    let text: String = kept.iter().map(|k| k.text.as_str()).collect();
    program::write(&[(path.clone(), text.into_bytes())], &[], None)
}

/// Names of players, each once.
fn names(specs: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for spec in specs {
        let name: String = spec.chars().filter(|c| !c.is_control()).take(120).collect();
        let mut own = name.clone();
        let mut n = 2;
        while out.contains(&own) {
            own = format!("{name} #{n}");
            n += 1;
        }
        out.push(own);
    }
    out
}

/// Switches a program on.
fn open(name: &str, level: Option<u8>, terminal: &Terminal) -> Result<Seat, Failure> {
    let args = ProgramArgs {
        program: Some(name.to_owned()),
        ..ProgramArgs::default()
    };
    let mut session = program::find_source(&args, terminal)?;
    let built = job::build(&mut session, terminal)?;
    let seat = Seat::open(&session, &built, &Power::default());
    let mut seat = seat.map_err(|r| built.refused(r, terminal))?;
    if let Some(level) = level {
        let levels = seat.levels().len().max(1);
        if usize::from(level) > levels {
            return Err(Failure::Failed(format!("{name} has {levels} levels")));
        }
        seat.set_level(level);
    }
    Ok(seat)
}

/// Which game is played: what is said, or what the programs play.
fn game(said: Option<MatchGame>, own: &[(String, Game)]) -> Result<Game, Failure> {
    let game = match said {
        Some(MatchGame::Chess) => Game::Chess,
        Some(MatchGame::Chess960) => Game::Chess960,
        Some(MatchGame::Tinyhouse) => Game::Tinyhouse,
        None if own.iter().any(|o| o.1 == Game::Tinyhouse) => Game::Tinyhouse,
        None => Game::Chess,
    };
    let other = own
        .iter()
        .find(|o| o.1 != game && (o.1, game) != (Game::Chess960, Game::Chess));
    match other {
        None => Ok(game),
        Some((name, plays)) => Err(Failure::Failed(format!(
            "{name} plays {plays:?} and not {game:?}"
        ))),
    }
}

fn openings(game: Game, path: &Path) -> Result<Openings, Failure> {
    let bytes = disk::read_at_most(path, 1 << 24)?;
    let text = String::from_utf8_lossy(&bytes);
    let read = Openings::read(game, &text);
    Ok(read.map_err(|why| format!("{}: {why}", path.display()))?)
}

/// The games of a file.
fn games(path: &Path) -> Result<Vec<Kept>, Failure> {
    let bytes = disk::read_at_most(path, MOST_BYTES)?;
    let text = String::from_utf8_lossy(&bytes);
    let read = contest::read(&text);
    Ok(read.map_err(|why| format!("{}: {why}", path.display()))?)
}

/// The games that are there already, if they are of this match.
fn resumed(path: &Path, plan: &Plan) -> Result<Vec<Kept>, Failure> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let kept = games(path)?;
    let name = plan.name();
    if kept.iter().any(|k| k.of != name) {
        return Err(Failure::Failed(format!(
            "{} has games of another match: players, games, seed, openings or plies differ",
            path.display()
        )));
    }
    one_each(kept)
}

/// Games in order of their numbers, each once.
fn one_each(mut all: Vec<Kept>) -> Result<Vec<Kept>, Failure> {
    all.sort_by_key(|k| k.number);
    for pair in all.windows(2) {
        if pair[0].number == pair[1].number && pair[0] != pair[1] {
            return Err(Failure::Failed(format!(
                "game {} is there twice, and not the same",
                pair[0].number
            )));
        }
    }
    all.dedup();
    Ok(all)
}

fn summary(plan: &Plan, kept: &[Kept]) -> serde_json::Value {
    counted(&plan.name(), plan.count(), kept)
}

fn counted(name: &str, count: u32, kept: &[Kept]) -> serde_json::Value {
    let rows: Vec<_> = contest::rows(kept)
        .iter()
        .map(|r| {
            json!({
                "players": r.players,
                "won": r.games[0],
                "drawn": r.games[1],
                "lost": r.games[2],
                "not_played": r.void,
                "score": r.score,
                "error": r.error,
            })
        })
        .collect();
    json!({
        "schema": 1,
        "match": name,
        "games": count,
        "played": kept.len(),
        "pairs": rows,
    })
}

/// Puts the parts of a match together.
fn merge(args: &MergeArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut all = Vec::new();
    for path in &args.files {
        all.extend(games(path)?);
    }
    let Some((name, count)) = all.first().map(|k| (k.of.clone(), k.count)) else {
        return Err(Failure::Failed("there is no game".into()));
    };
    if all.iter().any(|k| k.of != name) {
        return Err(Failure::Failed(
            "the files are of different matches: players, games, seed, openings or plies differ"
                .into(),
        ));
    }
    let all = one_each(all)?;
    if all.len() < count as usize {
        terminal.say(&format!("{} of {count} games are there\n", all.len()));
    }
    if let Some(path) = &args.output {
        let text: String = all.iter().map(|k| k.text.as_str()).collect();
        let out: Vec<(PathBuf, Vec<u8>)> = vec![(path.clone(), text.into_bytes())];
        program::write(&out, &args.files, None)?;
    }
    match args.json {
        true => terminal.print_json(&format!("{:#}\n", counted(&name, count, &all))),
        false => terminal.print(&contest::table(&contest::rows(&all))),
    }
}
