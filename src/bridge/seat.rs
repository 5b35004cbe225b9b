//! A program at the board: it is told a position, by the moves typed on its keys or by its
//! memory, and asked for its move. Rules come from [`super::rules`]; what is particular to
//! the program from its description.

use super::description::{self, Description, Rule, Sides, Wrong};
use super::fault::{Fault, Order};
use super::hands::{Hands, Hurry, Sought};
use super::layout::{Layout, State, Written};
use super::places::{Names, Place};
use super::rules::{Game, Move, Position, Record, name};
use crate::diagnostic::{Diagnostic, codes};
use crate::session::build::Build;
use crate::session::front::Session;
use crate::session::power::{Power, Running};
use crate::session::refusal::Refusal;
use crate::text::source::Span;
use scrimp_isa::Simulation;

/// Seconds of the machine that a program may take to wait for its first key.
const BOOT: u64 = 60;
/// Seconds that it may take for a move unless its description says otherwise.
const PATIENCE: u64 = 600;

/// How the position came to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The last move was typed.
    Typed,
    /// The position was put into its memory.
    Written,
    /// All moves were typed.
    Replayed,
}

/// Its move.
#[derive(Clone, Copy, Debug)]
pub struct Thought {
    /// The move, which is legal.
    pub play: Move,
    /// Clock cycles that it took, typing included.
    pub clocks: u64,
    /// How it was told.
    pub told: Told,
}

/// How it is asked to move.
#[derive(Clone)]
struct Asked {
    cells: Vec<Written>,
    start: Option<u64>,
    keys: Vec<String>,
    serial: String,
}

/// The machine after its move, and what it has on its board.
struct Shown {
    simulation: Box<dyn Simulation>,
    record: Record,
    /// The side and the level that it plays.
    side: bool,
    level: u8,
}

/// A program at the board.
pub struct Seat {
    /// The program's name.
    pub name: String,
    description: Description,
    layout: Layout,
    cells: Vec<Written>,
    power: Vec<Written>,
    asked: Asked,
    /// Before its first instruction.
    off: Box<dyn Simulation>,
    /// Where it waits for the first move.
    fresh: Box<dyn Simulation>,
    hands: Hands,
    /// The machine after its last move.
    shown: Option<Shown>,
    level: u8,
    /// What a match leaves to chance: clocks before the first key.
    delay: u64,
    /// Clocks in a second.
    clock: u64,
}

impl Seat {
    /// Switches a program on and waits for its first key.
    ///
    /// # Errors
    /// It has no `[bridge]`, or one that cannot be; it does not run.
    pub fn open(session: &Session, build: &Build, power: &Power) -> Result<Self, Refusal> {
        let Some((file, text, _)) = &session.manifest else {
            return Err(none(&session.name));
        };
        let mut sources = build.sources.iter();
        let id = sources.find(|(_, s)| *s.name == **file).map(|(id, _)| id);
        let refuse = |wrong: Wrong| {
            let mut d = Diagnostic::new(codes::PROGRAM_FILE, wrong.message);
            if let Some(id) = id {
                let range = wrong.range;
                d = d.at(Span::new(id, range.start as u32, range.end as u32));
            }
            Refusal::Broken(vec![d])
        };
        let Some(description) = description::read(text).map_err(refuse)? else {
            return Err(none(&session.name));
        };
        let image = build.good()?;
        let running = session.power_on_with(build, power)?;
        let names = Names::new(image, &running);
        let made = Self::parts(&description, &names).map_err(refuse)?;
        let (layout, cells, power, asked) = made;
        let hands = Hands::of(&description, &names, running.frame()).map_err(refuse)?;
        let clock = running.clock();
        let level = description.level.as_ref().map_or(1, |l| *l.get_ref() as u8);
        let Running { simulation, .. } = running;
        let mut seat = Self {
            name: session.name.clone(),
            fresh: simulation.snapshot(),
            off: simulation,
            description,
            layout,
            cells,
            power,
            asked,
            hands,
            shown: None,
            level,
            delay: 0,
            clock,
        };
        seat.boot(518).map_err(|f| Refusal::Failed(f.to_string()))?;
        Ok(seat)
    }

    fn parts(
        description: &Description,
        names: &Names<'_>,
    ) -> Result<(Layout, Vec<Written>, Vec<Written>, Asked), Wrong> {
        let layout = Layout::of(description, names)?;
        let all = |cells: &[description::Cell]| -> Result<Vec<Written>, Wrong> {
            cells.iter().map(|c| Written::of(c, names)).collect()
        };
        let go = &description.go;
        let asked = Asked {
            cells: all(&go.cells)?,
            start: match &go.start {
                Some(label) => Some(names.code(label)?),
                None => None,
            },
            keys: go.keys.iter().map(|k| k.get_ref().clone()).collect(),
            serial: go.serial.clone(),
        };
        let without = layout.pointer.is_none();
        let behind = |w: &&Written| without && matches!(w.place(), Place::Behind(_));
        let cells = all(&description.cells)?;
        if cells.iter().any(|c| behind(&c)) {
            return Err(Wrong {
                range: description.board.a1.span(),
                message: "`@` counts from a `pointer`, and there is none".into(),
            });
        }
        Ok((layout, cells, all(&description.power)?, asked))
    }

    /// Switches it on with an array of chess.
    fn boot(&mut self, array: u16) -> Result<(), Fault> {
        let mut simulation = self.off.snapshot();
        let start = Position::array(array);
        let state = State {
            position: &start,
            level: self.level,
            array,
        };
        for cell in &self.power {
            cell.write(&mut *simulation, &self.layout, &state);
        }
        let most = BOOT * self.clock;
        let hands = &self.hands;
        let mut wait = Hurry::none();
        hands.ready(&mut *simulation, most, &mut wait)?;
        for key in &self.description.begin {
            hands.press(&mut *simulation, key.get_ref(), &mut wait)?;
            hands.ready(&mut *simulation, most, &mut wait)?;
        }
        self.fresh = simulation;
        self.shown = None;
        Ok(())
    }

    /// Which game it plays.
    pub fn game(&self) -> Game {
        *self.description.game.get_ref()
    }

    /// Clock cycles of the machine in a second.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Seconds of the machine that it takes at most at each level; empty where it has one
    /// level only.
    pub fn levels(&self) -> &[f64] {
        &self.description.levels
    }

    /// The level that it has.
    pub fn level(&self) -> u8 {
        self.level
    }

    /// Sets the level, the nearest that there is.
    pub fn set_level(&mut self, level: u8) {
        let most = self.description.levels.len().clamp(1, 99) as u8;
        self.level = level.clamp(1, most);
    }

    /// The highest level that takes no more than so many seconds.
    pub fn level_for(&self, seconds: f64) -> u8 {
        let fits = |s: &f64| *s <= seconds;
        let all = &self.description.levels;
        all.iter().rposition(fits).map_or(1, |i| i as u8 + 1)
    }

    /// Whether it can be made to move at once.
    pub fn stops(&self) -> bool {
        !self.description.stop.is_empty()
    }

    /// Whether positions can be put into its memory.
    pub fn takes_positions(&self) -> bool {
        !self.description.replays
    }

    /// Forgets the game; the first key of the next comes so many clocks later.
    pub fn begin(&mut self, delay: u64) {
        self.shown = None;
        self.delay = delay;
    }

    /// Its move in the last position of a game that is not over.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn think(
        &mut self,
        record: &Record,
        order: &mut dyn FnMut() -> Order,
    ) -> Result<Thought, Fault> {
        let now = record.now();
        if now.moves().is_empty() {
            return Err(Fault::Cannot("the game is over".into()));
        }
        let mut hurry = Hurry::new(order, &self.description.stop);
        let turned = self.description.plays == Sides::Black && now.white();
        let answer = if turned {
            self.turned(now, &mut hurry)
        } else {
            self.straight(record, &mut hurry)
        };
        if answer.is_err() {
            self.shown = None;
        }
        answer
    }

    /// A program of one side plays the other on a board whose colours are exchanged.
    fn turned(&mut self, now: &Position, hurry: &mut Hurry<'_>) -> Result<Thought, Fault> {
        let other = Position::read(self.game(), &exchanged(&now.fen()));
        let other = other.map_err(Fault::Cannot)?;
        self.shown = None;
        let record = Record::new(self.game(), other);
        let mut thought = self.written(&record, hurry)?;
        self.shown = None;
        let m = &mut thought.play;
        (m.from, m.to) = (m.from.map(|f| f ^ 56), m.to ^ 56);
        Ok(thought)
    }

    fn straight(&mut self, record: &Record, hurry: &mut Hurry<'_>) -> Result<Thought, Fault> {
        if let Some(shown) = self.shown.take() {
            let played = shown.record.moves().len();
            let same = shown.side == record.now().white() && shown.level == self.level;
            if same && record.moves().len() == played + 1 && record.continues(&shown.record) {
                let m = record.moves()[played];
                if !self.lacks(shown.record.now(), m)
                    && let Some(thought) = self.typed(shown.simulation, record, m, hurry)?
                {
                    return Ok(thought);
                }
            }
        }
        match self.description.replays {
            true => self.replayed(record, hurry),
            false => self.written(record, hurry),
        }
    }

    /// Whether a move is none by the rules that the program has.
    fn lacks(&self, position: &Position, m: Move) -> bool {
        self.description.lacks.iter().any(|rule| match rule {
            Rule::Castling => position.castles(m).is_some(),
            Rule::Passing => position.passes(m),
            Rule::Promotion => m.from.is_some() && m.piece.is_some_and(|p| p != b'Q'),
        })
    }

    fn state<'a>(&self, position: &'a Position, array: u16) -> State<'a> {
        State {
            position,
            level: self.level,
            array,
        }
    }

    /// The machine as it waits for the first key of a game.
    fn pristine(&self, hurry: &mut Hurry<'_>) -> Result<Box<dyn Simulation>, Fault> {
        let mut simulation = self.fresh.snapshot();
        if self.delay > 0 {
            simulation.run(self.delay);
            self.hands
                .ready(&mut *simulation, BOOT * self.clock, hurry)?;
        }
        Ok(simulation)
    }

    /// Types the last move; nothing if the program does not take it.
    fn typed(
        &mut self,
        mut live: Box<dyn Simulation>,
        record: &Record,
        m: Move,
        hurry: &mut Hurry<'_>,
    ) -> Result<Option<Thought>, Fault> {
        let before = record.before(record.moves().len() - 1);
        let begin = live.cycles();
        let layout = &self.layout;
        // A program whose game is over by its own rules may have begun another.
        if layout.read(&*live) != before.squares() {
            return Ok(None);
        }
        let held = self.hands.enter(&mut *live, layout, before, m, hurry)?;
        let sought = Sought {
            before: Some(before),
            now: record.now(),
            most: self.patience(),
        };
        let came = self
            .hands
            .answer(&mut *live, layout, &sought, held, hurry)?;
        let Some(play) = came else {
            return Ok(None);
        };
        let clocks = live.cycles() - begin;
        self.keep(live, record, play);
        Ok(Some(Thought {
            play,
            clocks,
            told: Told::Typed,
        }))
    }

    fn patience(&self) -> u64 {
        let seconds = self.description.patience.as_ref();
        seconds
            .map_or(PATIENCE, |p| *p.get_ref())
            .saturating_mul(self.clock)
    }

    fn keep(&mut self, live: Box<dyn Simulation>, record: &Record, play: Move) {
        let mut shown = record.clone();
        let side = record.now().white();
        shown.play(play);
        self.shown = Some(Shown {
            simulation: live,
            record: shown,
            side,
            level: self.level,
        });
    }

    /// Puts the position into its memory.
    fn written(&mut self, record: &Record, hurry: &mut Hurry<'_>) -> Result<Thought, Fault> {
        let now = record.now();
        let mut live = self.pristine(hurry)?;
        let begin = live.cycles();
        self.hands.open(&mut *live, hurry)?;
        let state = self.state(now, 518);
        for cell in &self.cells {
            cell.write(&mut *live, &self.layout, &state);
        }
        self.layout.write(&mut *live, now);
        self.ask(live, begin, record, Told::Written, hurry)
    }

    /// Types all moves of the game from its array.
    fn replayed(&mut self, record: &Record, hurry: &mut Hurry<'_>) -> Result<Thought, Fault> {
        let start = record.start();
        let Some(array) = start.number() else {
            return Err(Fault::Cannot(format!(
                "{} plays from the 960 arrays of chess only, and its moves are typed: {} is none",
                self.name,
                start.fen()
            )));
        };
        self.boot(array)?;
        let mut live = self.pristine(hurry)?;
        let begin = live.cycles();
        for (n, &m) in record.moves().iter().enumerate() {
            let before = record.before(n);
            let held = self
                .hands
                .enter(&mut *live, &self.layout, before, m, hurry)?;
            self.hands.release(&mut *live, held)?;
            self.hands.ready(&mut *live, self.patience(), hurry)?;
            if self.layout.read(&*live) != record.before(n + 1).squares() {
                return Err(Fault::Cannot(format!(
                    "{} did not take {}",
                    self.name,
                    before.text(m)
                )));
            }
        }
        self.ask(live, begin, record, Told::Replayed, hurry)
    }

    /// Asks for its move.
    fn ask(
        &mut self,
        mut live: Box<dyn Simulation>,
        begin: u64,
        record: &Record,
        told: Told,
        hurry: &mut Hurry<'_>,
    ) -> Result<Thought, Fault> {
        let now = record.now();
        let state = self.state(now, 518);
        for cell in &self.asked.cells {
            cell.write(&mut *live, &self.layout, &state);
        }
        if let Some(start) = self.asked.start {
            live.set_register("pc", start);
        }
        if !self.asked.serial.is_empty() {
            let text = self
                .asked
                .serial
                .replace("{level}", &self.level.to_string());
            live.type_serial(text.as_bytes());
        }
        let (last, keys) = match self.asked.keys.split_last() {
            Some((last, keys)) => (Some(last.as_str()), keys),
            None => (None, &[][..]),
        };
        for key in keys {
            self.hands.press(&mut *live, key, hurry)?;
        }
        let held = match last {
            Some(key) => self.hands.hold(&mut *live, key, hurry)?,
            None => None,
        };
        let sought = Sought {
            before: None,
            now,
            most: self.patience(),
        };
        let came = self
            .hands
            .answer(&mut *live, &self.layout, &sought, held, hurry)?;
        let Some(play) = came else {
            return Err(Fault::Silent(format!("{} does not answer", self.name)));
        };
        let clocks = live.cycles() - begin;
        self.keep(live, record, play);
        Ok(Thought { play, clocks, told })
    }
}

fn none(name: &str) -> Refusal {
    Refusal::Failed(format!(
        "{name} does not say how it is played: its program.toml has no [bridge]; `scrimp help \
         bridge` tells what belongs there"
    ))
}

/// A FEN of chess with the colours exchanged.
fn exchanged(fen: &str) -> String {
    let turn = |text: &str| -> String {
        let case = |c: char| match c.is_ascii_uppercase() {
            true => c.to_ascii_lowercase(),
            false => c.to_ascii_uppercase(),
        };
        text.chars().map(case).collect()
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let [men, side, rights, passing, rest @ ..] = &fields[..] else {
        return String::new();
    };
    let rows: Vec<&str> = men.split('/').rev().collect();
    let side = if *side == "w" { "b" } else { "w" };
    let passing = match passing.as_bytes() {
        [file, rank @ b'1'..=b'8'] => name(file - b'a' + 8 * (b'8' - rank), 8),
        _ => "-".into(),
    };
    let (men, rights) = (turn(&rows.join("/")), turn(rights));
    format!("{men} {side} {rights} {passing} {}", rest.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_exchanged() {
        let fen = "r3k2r/8/8/3pP3/8/8/8/4K2R w Kkq d6 0 2";
        let other = "4k2r/8/8/8/3Pp3/8/8/R3K2R b kKQ d3 0 2";
        assert_eq!(exchanged(fen), other);
        let back = exchanged(other);
        assert_eq!(back.split(' ').next(), fen.split(' ').next());
    }
}
