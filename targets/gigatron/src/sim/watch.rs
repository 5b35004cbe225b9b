//! Watches a running program keep its promises: the dynamic twin of the proofs in
//! [`timing`](crate::timing).
//!
//! What is promised of a word is looked up when it executes; words without a promise
//! cost a look into a table of flags, and a machine that watches nothing has no such
//! code at all (see [`Ports::WATCHES`](super::Ports::WATCHES)).

use std::collections::BTreeMap;

use scrimp_isa::proof::{Block, Broken, Contract, Promises};

use super::{HSYNC, VSYNC};
use crate::opcode::Opcode;
use crate::timing::contracts::{KINDS, answered};

/// Words that make a block: the cell is loaded, tested, charged and stored.
const HEAD: u16 = 4;
/// Clocks from a jump to the word that it leads to.
const AWAY: u64 = 2;

/// What is promised of a word.
#[derive(Clone, Debug)]
enum Kept {
    At(i64),
    Rebase(i64),
    Answer(i64),
    End,
    Targets(Vec<u16>),
    Rounds(i64),
    /// The second word of a block: AC is the time left.
    Begun,
    /// The last word of its head, in a block of that number of clocks: AC is what is
    /// left of them.
    Charged(u8),
    /// The jump lands on a block.
    Lands,
}

/// A jump whose target executes soon.
#[derive(Clone, Debug)]
struct Under {
    due: u64,
    from: u16,
    /// Where it may lead; on any block if there are none.
    targets: Option<Vec<u16>>,
}

/// The watch.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Index in `kept` and 1 by address; 0 where nothing is promised.
    index: Box<[u16]>,
    kept: Vec<Vec<Kept>>,
    blocks: Vec<Block>,
    /// Clocks of a line.
    line: Option<i64>,
    /// The clock at which promises count from 0, and where that was set.
    base: Option<(u64, u16)>,
    /// The block that is charged: where it is, when its first word would have executed
    /// and the time left by then.
    open: Option<(u16, u64, u8)>,
    under: Vec<Under>,
    /// The next clock at which the target of a jump executes.
    due: u64,
    fell: Option<u64>,
    synced: bool,
    /// How often each ran since the last promise, and which one that was.
    rounds: Vec<(u64, i64)>,
    stretch: u64,
    broken: BTreeMap<(u16, String), Broken>,
}

/// By how much a number of clocks is off.
fn few(more: i64) -> String {
    match more {
        0.. => format!("{more} too many"),
        _ => format!("{} too few", -more),
    }
}

impl Watch {
    /// A watch over these promises; nothing if there is none to be kept.
    pub fn new(promises: &Promises, rom: impl Fn(u16) -> u16) -> Option<Self> {
        let mut watch = Self {
            index: vec![0; 0x1_0000].into(),
            kept: Vec::new(),
            blocks: promises.blocks.clone(),
            line: None,
            base: None,
            open: None,
            under: Vec::new(),
            due: u64::MAX,
            fell: None,
            synced: false,
            rounds: Vec::new(),
            stretch: 0,
            broken: BTreeMap::new(),
        };
        promises.contracts.iter().for_each(|c| watch.add(c));
        for b in &promises.blocks {
            let at = (b.address / 2) as u16;
            let charge = (rom(at.wrapping_add(HEAD - 2)) >> 8) as u8;
            watch.keep(at.wrapping_add(1), Kept::Begun);
            watch.keep(at.wrapping_add(HEAD - 1), Kept::Charged(charge));
        }
        for &at in &promises.landings {
            watch.keep((at / 2) as u16, Kept::Lands);
        }
        // What is promised of a jump is promised of no other word.
        for at in 0..=u16::MAX {
            let jumps = Opcode(rom(at) as u8).is_jump();
            if let Some(kept) = watch.kept_at(at) {
                kept.retain(|k| jumps || !matches!(k, Kept::Targets(_) | Kept::Lands));
            }
        }
        watch.rounds = vec![(0, 0); watch.kept.len()];
        let any = watch.kept.iter().any(|k| !k.is_empty());
        (any || watch.line.is_some()).then_some(watch)
    }

    fn kept_at(&mut self, at: u16) -> Option<&mut Vec<Kept>> {
        let index = usize::from(self.index[usize::from(at)]);
        self.kept.get_mut(index.checked_sub(1)?)
    }

    fn keep(&mut self, at: u16, kept: Kept) {
        if let Some(known) = self.kept_at(at) {
            return known.push(kept);
        }
        // So many different addresses that the index ends are no program.
        if let Ok(index) = u16::try_from(self.kept.len() + 1) {
            self.kept.push(vec![kept]);
            self.index[usize::from(at)] = index;
        }
    }

    fn add(&mut self, c: &Contract) {
        let at = (c.address / 2) as u16;
        let first = c.values.first().copied().unwrap_or(0);
        match (KINDS.get(c.kind).map_or("", |k| k.name), c.words.first()) {
            ("clock", Some(&"rebase")) => self.keep(at, Kept::Rebase(first)),
            ("clock", Some(&"answer")) => self.keep(at, Kept::Answer(first)),
            ("clock", Some(_)) => {
                if !c.values.is_empty() {
                    self.keep(at, Kept::At(first));
                }
                self.keep(at, Kept::End);
            }
            ("clock", None) => self.keep(at, Kept::At(first)),
            ("targets", None) => {
                let list = c.values.iter().map(|&v| v as u16).collect();
                self.keep(at, Kept::Targets(list));
            }
            ("rounds", _) => self.keep(at, Kept::Rounds(first)),
            ("lines", _) => self.line = Some(first),
            _ => {}
        }
    }

    /// What was not kept, in order of address.
    pub fn broken(&self) -> Vec<Broken> {
        self.broken.values().cloned().collect()
    }

    #[cold]
    fn note(&mut self, clock: u64, at: u16, message: String) {
        let entry = self.broken.entry((at, message.clone()));
        let known = entry.or_insert_with(|| Broken {
            clock,
            address: u64::from(at) * 2,
            message,
            count: 0,
        });
        known.count += 1;
    }

    /// A word executes.
    #[inline(always)]
    pub fn word(&mut self, clock: u64, at: u16, ac: u8) {
        if self.index[usize::from(at)] != 0 || clock == self.due {
            self.look(clock, at, ac);
        }
    }

    #[inline(never)]
    fn look(&mut self, clock: u64, at: u16, ac: u8) {
        if clock == self.due {
            self.landed(clock, at);
        }
        let Some(index) = usize::from(self.index[usize::from(at)]).checked_sub(1) else {
            return;
        };
        // Out of its place while it is looked at, since what it leads to changes the rest.
        let kept = std::mem::take(&mut self.kept[index]);
        for k in &kept {
            match k {
                Kept::At(promised) => self.mark(clock, at, *promised, true),
                Kept::Rebase(n) => self.mark(clock, at, *n, false),
                Kept::Answer(more) => self.answer(clock, at, ac, *more),
                Kept::End => self.base = None,
                Kept::Targets(list) => self.jump(clock, at, Some(list.clone())),
                Kept::Lands => self.jump(clock, at, None),
                Kept::Rounds(most) => {
                    let (stretch, n) = &mut self.rounds[index];
                    if *stretch != self.stretch {
                        (*stretch, *n) = (self.stretch, 0);
                    }
                    *n += 1;
                    if *n == most.saturating_add(1) {
                        let message =
                            format!("this ran more than {most} times between two promises");
                        self.note(clock, at, message);
                    }
                }
                Kept::Begun => self.block_ends(clock - 1, at.wrapping_sub(1), ac),
                Kept::Charged(charge) => {
                    let before = ac.wrapping_add(*charge);
                    let first = (
                        at.wrapping_sub(HEAD - 1),
                        clock - u64::from(HEAD - 1),
                        before,
                    );
                    self.open = Some(first);
                }
            }
        }
        self.kept[index] = kept;
    }

    fn mark(&mut self, clock: u64, at: u16, promised: i64, check: bool) {
        if let (true, Some((base, _))) = (check, self.base) {
            let found = clock.wrapping_sub(base) as i64;
            if found != promised {
                let off = few(found - promised);
                let message =
                    format!("it came here at clock {found}, {off}: clock {promised} is promised");
                self.note(clock, at, message);
            }
        }
        self.base = Some((clock.wrapping_sub(promised as u64), at));
        self.stretch += 1;
    }

    fn answer(&mut self, clock: u64, at: u16, ac: u8, more: i64) {
        let Some((base, _)) = self.base.take() else {
            return;
        };
        let clocks = clock.wrapping_sub(base) as i64 + more;
        if ac != (-(clocks / 2)) as u8 || clocks % 2 != 0 {
            let message = format!(
                "{clocks} clocks were used, but the answer ${ac:02X} says {}",
                answered(ac)
            );
            self.note(clock, at, message);
        }
    }

    fn jump(&mut self, clock: u64, from: u16, targets: Option<Vec<u16>>) {
        let due = clock + AWAY;
        self.under.push(Under { due, from, targets });
        self.due = self.due.min(due);
    }

    fn landed(&mut self, clock: u64, at: u16) {
        for under in std::mem::take(&mut self.under) {
            if under.due > clock {
                self.under.push(under);
                continue;
            }
            // A branch that is not taken goes on behind its slot.
            if at == under.from.wrapping_add(2) {
                continue;
            }
            let (meant, what) = match &under.targets {
                Some(list) => (list.contains(&at), "none of the targets that are promised"),
                None => {
                    let mut blocks = self.blocks.iter();
                    let lands = blocks.any(|b| b.address == u64::from(at) * 2);
                    (lands, "which is no block's first word as promised")
                }
            };
            if !meant {
                let message = format!("this jumped to ${at:04X}, {what}");
                self.note(clock, under.from, message);
            }
        }
        self.due = self.under.iter().map(|u| u.due).min().unwrap_or(u64::MAX);
    }

    fn block_ends(&mut self, clock: u64, at: u16, left: u8) {
        let Some((from, began, before)) = self.open.take() else {
            return;
        };
        // Shorter arms may give back some of what was charged.
        let (paid, found) = (i64::from(before.wrapping_sub(left)), (clock - began) as i64);
        if found != paid {
            let off = few(found - paid);
            let message = format!(
                "this block took {found} clocks to the one at ${at:04X}, {off}: it paid for {paid}"
            );
            self.note(clock, from, message);
        }
    }

    /// OUT is loaded by the word at an address.
    #[inline(always)]
    pub fn out(&mut self, clock: u64, old: u8, new: u8, at: u16) {
        if (old ^ new) & (HSYNC | VSYNC) != 0 {
            self.edge(clock, old & !new, at);
        }
    }

    #[inline(never)]
    fn edge(&mut self, clock: u64, falling: u8, at: u16) {
        self.synced |= falling & VSYNC != 0;
        let Some(line) = self.line else { return };
        if falling & HSYNC == 0 {
            return;
        }
        if let (true, Some(fell)) = (self.synced, self.fell) {
            let found = (clock - fell) as i64;
            if found != line {
                let off = few(found - line);
                let message = format!("hSync fell after {found} clocks, {off}: a line has {line}");
                self.note(clock, at, message);
            }
        }
        // What comes before the first vSync is no line.
        self.fell = self.synced.then_some(clock);
        self.base = Some((clock, at));
        self.stretch += 1;
    }
}
