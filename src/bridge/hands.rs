//! What is done at the machine: keys, cursor, serial line, and waiting for what the program
//! does then.

use super::description::{Description, Enter, Way, Wrong};
use super::fault::{Fault, Order};
use super::layout::Layout;
use super::places::{Names, Place};
use super::rules::{Move, Position};
use scrimp_isa::Simulation;
use scrimp_isa::machine::Stop;
use toml::Spanned;

/// Clocks between two looks at who waits.
const SLICE: u64 = 1 << 20;
/// Seconds until a key must have been taken.
const TAKEN: u64 = 60;
/// Most steps of a cursor to a square.
const MOST_STEPS: usize = 64;
/// Frames that a board must stand still to count.
const STEADY: u32 = 3;
/// Frames after which a board that does not change is left as it is.
const IDLE: u32 = 400;

/// Who waits, and whether the program was told to hurry.
pub struct Hurry<'a> {
    order: Option<&'a mut dyn FnMut() -> Order>,
    keys: Vec<String>,
    told: bool,
}

impl<'a> Hurry<'a> {
    /// Nobody.
    pub fn none() -> Self {
        Self {
            order: None,
            keys: Vec::new(),
            told: false,
        }
    }

    /// Someone, and the keys that end the program's thinking.
    pub fn new(order: &'a mut dyn FnMut() -> Order, keys: &[Spanned<String>]) -> Self {
        Self {
            order: Some(order),
            keys: keys.iter().map(|k| k.get_ref().clone()).collect(),
            told: false,
        }
    }

    /// Whether it is to hurry now.
    fn ask(&mut self) -> Result<bool, Fault> {
        match self.order.as_mut().map(|o| o()) {
            Some(Order::Leave) => Err(Fault::Left),
            Some(Order::Move) if !self.told && !self.keys.is_empty() => {
                self.told = true;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// How a program's keys are used.
#[derive(Clone)]
pub struct Hands {
    ready: Vec<u64>,
    stops: Vec<u64>,
    still: Vec<(Place, u64)>,
    enter: Enter,
    taken: Option<u64>,
    from: Option<u64>,
    cursor: Option<Place>,
    frame: u64,
}

/// What is looked for on the board.
pub struct Sought<'a> {
    /// The board before the last move was typed, if it was.
    pub before: Option<&'a Position>,
    /// The board from which it moves.
    pub now: &'a Position,
    /// Clocks until it must have moved.
    pub most: u64,
}

/// Boards that may come.
struct Looks {
    next: Vec<(Vec<u8>, Move)>,
    before: Option<Vec<u8>>,
    now: Vec<u8>,
}

impl Looks {
    fn of(sought: &Sought<'_>) -> Self {
        let all = sought.now.moves().into_iter();
        Self {
            next: all.map(|m| (sought.now.play(m).squares(), m)).collect(),
            before: sought.before.map(Position::squares),
            now: sought.now.squares(),
        }
    }

    fn seen(&self, board: Vec<u8>) -> Seen {
        if let Some((_, m)) = self.next.iter().find(|n| n.0 == board) {
            Seen::Moved(*m)
        } else if self.before.as_ref() == Some(&board) {
            Seen::Refused
        } else if self.now == board {
            Seen::Nothing
        } else {
            Seen::Odd(board)
        }
    }
}

/// What a look at the board says.
enum Seen {
    Moved(Move),
    Refused,
    Nothing,
    Odd(Vec<u8>),
}

impl Hands {
    /// By its description.
    ///
    /// # Errors
    /// A name that the program does not have.
    pub fn of(d: &Description, names: &Names<'_>, frame: u64) -> Result<Self, Wrong> {
        let mut still = Vec::new();
        for cell in &d.still {
            still.push((names.place(&cell.at)?, names.value(&cell.is)?));
        }
        let code = |t: &Option<_>| t.as_ref().map(|t| names.code(t)).transpose();
        let codes = |all: &[Spanned<_>]| -> Result<Vec<u64>, Wrong> {
            all.iter().map(|t| names.code(t)).collect()
        };
        Ok(Self {
            ready: codes(&d.ready)?,
            stops: codes(&d.stops)?,
            still,
            taken: code(&d.enter.taken)?,
            from: code(&d.go.from)?,
            cursor: match &d.enter.cursor {
                Some(cell) => Some(names.place(cell)?),
                None => None,
            },
            enter: d.enter.clone(),
            frame,
        })
    }

    /// Runs to one of these places; false when the clocks are used up.
    fn run_to(
        &self,
        machine: &mut dyn Simulation,
        places: &[u64],
        most: u64,
        hurry: &mut Hurry<'_>,
    ) -> Result<bool, Fault> {
        let end = machine.cycles().saturating_add(most);
        places.iter().for_each(|&p| machine.breakpoint(p, true));
        let came = loop {
            let left = end.saturating_sub(machine.cycles());
            if left == 0 {
                break Ok(false);
            }
            match machine.run(left.min(SLICE)) {
                Stop::Breakpoint(at) if places.contains(&at) => break Ok(true),
                Stop::Halted => break Ok(false),
                _ => {}
            }
            if let Err(fault) = hurry.ask() {
                break Err(fault);
            }
        };
        places.iter().for_each(|&p| machine.breakpoint(p, false));
        came
    }

    /// Runs to where its memory may be written.
    ///
    /// # Errors
    /// It does not come there.
    pub fn open(&self, machine: &mut dyn Simulation, hurry: &mut Hurry<'_>) -> Result<(), Fault> {
        let Some(from) = self.from else {
            return Ok(());
        };
        match self.run_to(machine, &[from], TAKEN * 50 * self.frame, hurry)? {
            true => Ok(()),
            false => Err(Fault::Silent(format!("it does not come to ${from:04X}"))),
        }
    }

    fn is_still(&self, machine: &dyn Simulation) -> bool {
        let same = |(place, value): &(Place, u64)| place.get(machine, None) == *value;
        !self.still.is_empty() && self.still.iter().all(same)
    }

    /// Runs until it waits for a key.
    ///
    /// # Errors
    /// It does not within so many clocks.
    pub fn ready(
        &self,
        machine: &mut dyn Simulation,
        most: u64,
        hurry: &mut Hurry<'_>,
    ) -> Result<(), Fault> {
        let silent = |at: u64| {
            Fault::Silent(format!(
                "it does not wait for a key within {most} clocks; it is at ${at:04X}"
            ))
        };
        if self.still.is_empty() {
            return match self.run_to(machine, &self.ready, most, hurry)? {
                true => Ok(()),
                false => Err(silent(machine.pc())),
            };
        }
        let end = machine.cycles().saturating_add(most);
        let mut steady = 0;
        while steady < STEADY {
            if machine.cycles() >= end {
                return Err(silent(machine.pc()));
            }
            machine.run(self.frame);
            hurry.ask()?;
            steady = if self.is_still(machine) {
                steady + 1
            } else {
                0
            };
        }
        Ok(())
    }

    fn set(machine: &mut dyn Simulation, key: &str, down: bool) -> Result<(), Fault> {
        machine.key(key, down).map_err(Fault::Cannot)
    }

    /// Presses a key and lets it go.
    ///
    /// # Errors
    /// There is no such key, or the program does not take it.
    pub fn press(
        &self,
        machine: &mut dyn Simulation,
        key: &str,
        hurry: &mut Hurry<'_>,
    ) -> Result<(), Fault> {
        self.down(machine, key, hurry)?;
        if self.taken.is_none() {
            machine.run(self.enter.hold * self.frame);
        }
        Self::set(machine, key, false)?;
        machine.run(self.enter.gap * self.frame);
        hurry.ask().map(|_| ())
    }

    /// Presses a key, and waits until it is taken where that can be seen.
    fn down(
        &self,
        machine: &mut dyn Simulation,
        key: &str,
        hurry: &mut Hurry<'_>,
    ) -> Result<(), Fault> {
        Self::set(machine, key, true)?;
        let Some(taken) = self.taken else {
            return Ok(());
        };
        let most = TAKEN * 50 * self.frame;
        match self.run_to(machine, &[taken], most, hurry)? {
            true => Ok(()),
            false => Err(Fault::Silent(format!("the key {key} is not taken"))),
        }
    }

    /// Waits for the program, then presses a key.
    fn next(
        &self,
        machine: &mut dyn Simulation,
        key: &str,
        hurry: &mut Hurry<'_>,
    ) -> Result<(), Fault> {
        self.ready(machine, TAKEN * 50 * self.frame, hurry)?;
        self.press(machine, key, hurry)
    }

    /// Types a move. The last key stays down: its name comes back.
    ///
    /// # Errors
    /// The program does not take a key, or has none for the move.
    pub fn enter(
        &self,
        machine: &mut dyn Simulation,
        layout: &Layout,
        position: &Position,
        m: Move,
        hurry: &mut Hurry<'_>,
    ) -> Result<Option<String>, Fault> {
        let to = match self.enter.onto_rook {
            true => m.to,
            false => position.castles(m).unwrap_or(m.to),
        };
        let list = |of: &std::collections::BTreeMap<String, Spanned<String>>, letter: u8| {
            let keys = of.get(&char::from(letter).to_string());
            let keys = keys.ok_or_else(|| {
                Fault::Cannot(format!("there is no key for {}", position.text(m)))
            })?;
            let keys = keys.get_ref().split(',').map(str::trim);
            let keys = keys.filter(|k| !k.is_empty()).map(str::to_owned);
            Ok::<Vec<String>, Fault>(keys.collect())
        };
        let mut keys: Vec<String> = Vec::new();
        match self.enter.by {
            Way::Serial => {
                self.ready(machine, TAKEN * 50 * self.frame, hurry)?;
                let line = position.text(m) + &self.enter.end;
                return match machine.type_serial(line.as_bytes()) {
                    true => Ok(None),
                    false => Err(Fault::Cannot("there is no serial terminal".into())),
                };
            }
            Way::Keys => {
                match (m.from, m.piece) {
                    (Some(from), _) => keys.extend(self.square(from, position.width())),
                    (None, piece) => keys.extend(list(&self.enter.drops, piece.unwrap_or(b'P'))?),
                }
                keys.extend(self.square(to, position.width()));
            }
            Way::Cursor => {
                let take = self.enter.take.as_ref().map_or("", |k| k.get_ref());
                if let Some(from) = m.from {
                    self.point(machine, layout, from, position.width(), hurry)?;
                    self.next(machine, take, hurry)?;
                }
                self.point(machine, layout, to, position.width(), hurry)?;
                keys.push(take.to_owned());
            }
        }
        if let (Some(_), Some(piece)) = (m.from, m.piece) {
            keys.extend(list(&self.enter.promote, piece)?);
        }
        let Some(last) = keys.pop() else {
            return Ok(None);
        };
        for key in &keys {
            self.next(machine, key, hurry)?;
        }
        self.ready(machine, TAKEN * 50 * self.frame, hurry)?;
        self.hold(machine, &last, hurry)
    }

    /// Presses a key; if it has to be let go later its name comes back.
    ///
    /// # Errors
    /// As [`press`](Self::press).
    pub fn hold(
        &self,
        machine: &mut dyn Simulation,
        key: &str,
        hurry: &mut Hurry<'_>,
    ) -> Result<Option<String>, Fault> {
        self.down(machine, key, hurry)?;
        if self.taken.is_none() {
            return Ok(Some(key.to_owned()));
        }
        Self::set(machine, key, false)?;
        Ok(None)
    }

    /// Lets a key go that was held, in its time.
    ///
    /// # Errors
    /// There is no such key.
    pub fn release(&self, machine: &mut dyn Simulation, key: Option<String>) -> Result<(), Fault> {
        if let Some(key) = key {
            machine.run(self.enter.hold * self.frame);
            Self::set(machine, &key, false)?;
        }
        machine.run(self.enter.gap * self.frame);
        Ok(())
    }

    fn square(&self, square: u8, width: u8) -> Vec<String> {
        let key = |keys: &str, n: u8| keys.chars().nth(n.into()).map(String::from);
        let file = key(&self.enter.files, square % width);
        let rank = key(&self.enter.ranks, square / width);
        let both = match self.enter.rank_first {
            true => [rank, file],
            false => [file, rank],
        };
        both.into_iter().flatten().collect()
    }

    /// Moves the cursor to a square.
    fn point(
        &self,
        machine: &mut dyn Simulation,
        layout: &Layout,
        to: u8,
        width: u8,
        hurry: &mut Hurry<'_>,
    ) -> Result<(), Fault> {
        let Some(cursor) = &self.cursor else {
            return Ok(());
        };
        for _ in 0..MOST_STEPS {
            self.ready(machine, TAKEN * 50 * self.frame, hurry)?;
            let at = cursor.get(machine, None) as u8;
            let at = layout.square(at);
            let at = at.ok_or_else(|| Fault::Silent("the cursor is on no square".into()))?;
            let arrow = match (at % width, at / width) {
                _ if at == to => return Ok(()),
                (file, _) if file > to % width => 0,
                (file, _) if file < to % width => 1,
                (_, rank) if rank > to / width => 2,
                _ => 3,
            };
            self.press(machine, self.enter.arrows[arrow].get_ref(), hurry)?;
        }
        Err(Fault::Silent("the cursor does not come there".into()))
    }

    /// Waits for the program's move; nothing if it did not take what was typed.
    ///
    /// # Errors
    /// It does not answer, or its board cannot be.
    pub fn answer(
        &self,
        machine: &mut dyn Simulation,
        layout: &Layout,
        sought: &Sought<'_>,
        held: Option<String>,
        hurry: &mut Hurry<'_>,
    ) -> Result<Option<Move>, Fault> {
        let looks = Looks::of(sought);
        let look = |machine: &dyn Simulation| looks.seen(layout.read(machine));
        let mut held = held.map(|key| (key, machine.cycles() + self.enter.hold * self.frame));
        let end = machine.cycles().saturating_add(sought.most);
        let (mut steady, mut last) = (0, Vec::new());
        self.stops.iter().for_each(|&p| machine.breakpoint(p, true));
        let came = loop {
            let now = machine.cycles();
            if now >= end {
                let text = format!("it does not answer; it is at ${:04X}", machine.pc());
                break Err(Fault::Silent(text));
            }
            let slice = if self.stops.is_empty() {
                self.frame
            } else {
                SLICE
            };
            let release = held
                .as_ref()
                .map_or(u64::MAX, |h| h.1.saturating_sub(now).max(1));
            let stop = machine.run(slice.min(release).min(end - now));
            if held.as_ref().is_some_and(|h| machine.cycles() >= h.1)
                && let Some((key, _)) = held.take()
            {
                Self::set(machine, &key, false)?;
            }
            let seen = match stop {
                Stop::Breakpoint(at) if self.stops.contains(&at) => Some((look(machine), true)),
                Stop::Halted => {
                    let at = machine.pc();
                    break Err(Fault::Silent(format!("the CPU has halted at ${at:04X}")));
                }
                _ if self.is_still(machine) => {
                    let board = layout.read(machine);
                    steady = if board == last { steady + 1 } else { 0 };
                    last = board;
                    (steady >= STEADY).then(|| (look(machine), steady >= IDLE))
                }
                _ => {
                    steady = 0;
                    None
                }
            };
            match seen {
                Some((Seen::Moved(m), _)) => break Ok(Some(m)),
                Some((Seen::Refused, true)) => break Ok(None),
                // A label may be passed before it thinks; who stands still does not.
                Some((Seen::Nothing, true)) if self.stops.is_empty() => break Ok(None),
                Some((Seen::Odd(board), true)) => break Err(odd(sought.now, &board)),
                _ => {}
            }
            match hurry.ask() {
                Ok(false) => {}
                Ok(true) => {
                    for key in &hurry.keys {
                        Self::set(machine, key, true)?;
                        held = Some((key.clone(), machine.cycles() + 4 * self.frame));
                    }
                }
                Err(fault) => break Err(fault),
            }
        };
        self.stops
            .iter()
            .for_each(|&p| machine.breakpoint(p, false));
        if let Some((key, _)) = held {
            Self::set(machine, &key, false)?;
        }
        came
    }
}

/// A board that no legal move leads to: which squares have changed.
fn odd(now: &Position, board: &[u8]) -> Fault {
    let width = now.width();
    let squares = now.squares();
    let changed = (0..)
        .zip(board)
        .filter(|&(s, c)| squares[usize::from(s)] != *c);
    let changed = changed.map(|(s, c)| {
        let was = char::from(squares[usize::from(s)]);
        let name = super::rules::name(s, width);
        format!("{name} {was} to {}", char::from(*c))
    });
    let changed: Vec<String> = changed.take(8).collect();
    Fault::Illegal(format!(
        "it made a move that is not legal: {}",
        changed.join(", ")
    ))
}
