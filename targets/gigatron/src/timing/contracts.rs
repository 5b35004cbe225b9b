//! Promises as directives: `clock`, `targets`, `rounds`, `lines`, `charge`.

use std::collections::{BTreeMap, BTreeSet};

use scrimp_isa::proof::{Contract, ContractKind, Finding, Plan, Proof, Role, Spot};
use scrimp_isa::{ContractKind as Kind, ImageView};

use super::even;
use super::slices::Slices;
use super::words::NOP;
use super::words::{broken, linear};
use super::{
    BadLine, Begin, Contracts, Fault, Lines, Mark, Open, Promise, Time, Violation, begins, lines,
    prove, whole,
};
use crate::machines::containers::PADDING;
use crate::sim::Timing;

/// Most that a block can take off the time left, which is a signed byte.
const MOST_CHARGE: i64 = 128;

const fn kind(
    name: &'static str,
    role: Role,
    words: &'static [&'static str],
    arguments: (u8, u8),
    about: &'static str,
) -> ContractKind {
    Kind {
        role,
        name,
        words,
        arguments,
        about,
    }
}

/// The directives.
pub const KINDS: &[ContractKind] = &[
    kind(
        "clock",
        Role::Promise,
        &["rebase", "answer", "end"],
        (1, 2),
        "who comes here comes at that clock; `rebase` counts from it anew; `answer` wants AC to be minus half of the clocks; `end` looks no further",
    ),
    kind(
        "targets",
        Role::Promise,
        &["sync"],
        (1, 255),
        "where the jump behind it can go; `sync`: it lands on one, if it cannot be followed",
    ),
    kind(
        "rounds",
        Role::Promise,
        &[],
        (1, 1),
        "how often the instruction behind it runs at most between two promises",
    ),
    kind(
        "lines",
        Role::Promise,
        &["reset"],
        (1, 2),
        "clocks between falling edges of hSync, on every path; `reset`: of the whole program from power-on, without other promises",
    ),
    kind(
        "charge",
        Role::Promise,
        &[],
        (2, 3),
        "the operand behind it becomes minus the clocks of the longest path from one label to another, and the third value",
    ),
    kind(
        "slices",
        Role::Slices,
        &["strict"],
        (4, 5),
        "cell with the clocks left less the fourth value, cell that takes where to resume, the handler of late blocks, most clocks of a block",
    ),
    kind(
        "sync",
        Role::Lines(&["ld [#1]", "blt $", "suba 0", "st [#1]"]),
        &[],
        (0, 0),
        "a block of time begins: it is charged the clocks to the next one",
    ),
    kind(
        "deadline",
        Role::Promise,
        &[],
        (1, 1),
        "late blocks come here; their time ends at that clock",
    ),
    kind(
        "resume",
        Role::Promise,
        &[],
        (0, 0),
        "the jump behind it goes back to a late block, with the time that is left in AC",
    ),
    kind(
        "stubs",
        Role::Room,
        &[],
        (0, 0),
        "what late blocks of the section go through, and filler that has no other place",
    ),
];

/// Words with the opcode in the low byte, as a ROM file has them: gaps are `nop`, and
/// behind the program comes what fills the EPROM.
fn rom(image: &dyn ImageView) -> Vec<u16> {
    let mut bytes = vec![0; 0x2_0000];
    let mut end = 0;
    for (address, piece) in image.pieces() {
        let at = address as usize;
        if let Some(to) = bytes.get_mut(at..at + piece.len()) {
            to.copy_from_slice(piece);
            end = end.max(at + piece.len());
        }
    }
    let mut gap = 0;
    for (address, piece) in image.pieces() {
        let at = address as usize;
        if at >= end {
            break;
        }
        fill(&mut bytes[gap..at], gap);
        gap = at + piece.len();
    }
    let pad = PADDING.iter().rev().cycle();
    for (to, &byte) in bytes[end..].iter_mut().rev().zip(pad) {
        *to = byte;
    }
    let words = bytes.chunks_exact(2);
    words.map(|w| u16::from_le_bytes([w[0], w[1]])).collect()
}

/// `nop` in a gap that begins at an address.
fn fill(gap: &mut [u8], from: usize) {
    for (i, byte) in gap.iter_mut().enumerate() {
        *byte = NOP[(from + i) % 2];
    }
}

/// What the promises of a program say.
#[derive(Default)]
struct Said<'p> {
    contracts: Contracts,
    /// Where the clocks of a block are to be put.
    charges: Vec<(u16, &'p Contract)>,
    /// Clocks of a line of the whole program, from power-on.
    whole: Option<i64>,
    /// Where lines are promised that begin at marks.
    line_at: Option<u16>,
}

impl<'p> Said<'p> {
    /// `time` is that of blocks, where all of it is said.
    fn of(promises: &'p [Contract], time: Option<Time>, out: &mut Proof) -> Self {
        let mut said = Self::default();
        let contracts = &mut said.contracts;
        for c in promises {
            let at = (c.address / 2) as u16;
            let first = c.values.first().copied().unwrap_or(0);
            match KINDS[c.kind].name {
                "clock" => contracts.marks.extend(clock_marks(c, at, first)),
                "slices" | "sync" | "stubs" => {}
                name @ ("deadline" | "resume") => match time {
                    Some(time) => {
                        let promise = match name {
                            "deadline" => Promise::Late(time),
                            _ => Promise::Resume(time),
                        };
                        contracts.marks.push(Mark { at, promise });
                    }
                    None => out.findings.push(broken(
                        at,
                        format!("`{name}` needs `slices` and one `deadline`"),
                        "say `slices …` above all blocks, and `deadline N` at the handler of late ones",
                    )),
                },
                "targets" if c.values.is_empty() => {}
                "targets" => {
                    let list = c.values.iter().map(|&v| v as u16).collect();
                    contracts.targets.insert(at, list);
                }
                "rounds" => {
                    contracts.bounds.insert(at, first.clamp(0, 1 << 20) as u32);
                }
                "lines" if c.words.is_empty() => {
                    contracts.line = Some(first);
                    said.line_at = Some(at);
                }
                "lines" => said.whole = Some(first),
                _ => said.charges.push((at, c)),
            }
        }
        said
    }
}

/// What a `clock` marks: its word, and where that ends a path perhaps its value too.
fn clock_marks(c: &Contract, at: u16, first: i64) -> Vec<Mark> {
    let mark = |promise| Mark { at, promise };
    match c.words.first() {
        Some(&"rebase") => vec![mark(Promise::Rebase(first))],
        Some(&"answer") => vec![mark(Promise::Answer { more: first })],
        Some(_) if c.values.is_empty() => vec![mark(Promise::End)],
        Some(_) => vec![mark(Promise::At(first)), mark(Promise::End)],
        None => vec![mark(Promise::At(first))],
    }
}

/// Proves the promises of a program; if it is asked for the whole proof (`thorough`), also what takes
/// seconds, and what must hold of every program that makes a picture.
pub fn prove_image(image: &dyn ImageView, promises: &[Contract], thorough: bool) -> Proof {
    let mut rom = rom(image);
    let mut out = Proof::default();
    let time_slices = slices_of(promises);
    let deadline = promises.iter().find(|c| KINDS[c.kind].name == "deadline");
    let deadline = deadline.and_then(|c| c.values.first());
    let time = time_slices
        .as_ref()
        .zip(deadline)
        .map(|(s, &at)| s.time(at));
    let Said {
        contracts,
        charges,
        mut whole,
        line_at,
    } = Said::of(promises, time, &mut out);
    for (at, c) in charges {
        charge(&mut rom, &contracts, at, c, &mut out);
    }
    // All of a program that is followed from power-on needs no help of its promises.
    let mut covered = false;
    if let Some(s) = &time_slices {
        even::prove(&mut rom, s, &mut out);
        let lines = whole.take().or(contracts.line);
        if thorough || lines.is_some() && contracts.line.is_none() {
            covered = turns(&rom, s, time, lines, &contracts, &mut out);
        }
    }
    let proof = prove(&rom, &contracts);
    out.proven += proof.proven;
    out.findings.extend(proof.violations.iter().map(violation));
    if thorough && !covered {
        out.findings.extend(trusted(&proof.trusted));
        out.findings.extend(begin(&rom, &contracts));
    }
    let silent = picture(image, &rom);
    let nowhere = line_at.filter(|_| contracts.marks.is_empty());
    out.findings.extend(nowhere.map(|at| Finding {
        broken: false,
        ..broken(
            at,
            "`lines` has nowhere to begin, so no line is proven".into(),
            "write `clock 0, rebase` where a line begins, or `lines N, reset` to begin at power-on",
        )
    }));
    let (mut all_open, mut clocks) = (proof.open, proof.clocks);
    // Without pulses there is nothing to follow.
    let period = whole.filter(|_| silent.is_none());
    if thorough && !covered || whole.is_some() {
        out.findings.extend(silent);
    }
    if let Some(period) = period.and_then(|n| usize::try_from(n).ok()) {
        let found = lines(&rom, &contracts, period);
        all_open.extend(all_lines(&found, period, &mut out));
        clocks.extend(found.clocks);
    }
    for (&at, &(least, most)) in &clocks {
        out.clocks.push((linear(at), least, most));
    }
    out.clocks.sort_unstable();
    for &(at, why, from) in &all_open {
        let f = open(at, why, from);
        let known = |o: &Finding| o.address == f.address && o.message == f.message;
        if !out.findings.iter().any(known) {
            out.findings.push(f);
        }
    }
    out
}

/// What came of all lines from power-on; what is left open.
fn all_lines(found: &Lines, period: usize, out: &mut Proof) -> Vec<(u16, Open, u16)> {
    out.proven += found.good;
    let bad = found.bad.iter().map(|b| bad_line(b, found, period));
    out.findings.extend(bad);
    out.findings.extend(taken(found));
    out.findings.extend(too_many(found));
    // Where all is followed, it would be there.
    if !found.steady && found.open.is_empty() && found.bad.is_empty() {
        out.findings.push(Finding {
            broken: false,
            ..broken(
                0,
                "vSync does not fall again and again, so no line is one of a picture".to_owned(),
                "let bit 7 of OUT be low for some lines of each frame",
            )
        });
    }
    let told = |o: &(u16, Open, u16)| o.1 == Open::TooMany && !found.many.is_empty();
    found.open.iter().copied().filter(|o| !told(o)).collect()
}

/// What the proof takes as it is promised, and only a run watches.
fn trusted(words: &BTreeSet<u16>) -> Option<Finding> {
    let &at = words.first()?;
    let more = match words.len() - 1 {
        0 => String::new(),
        1 => ", and that of another place".to_owned(),
        n => format!(", and those of {n} other places"),
    };
    Some(Finding {
        broken: false,
        ..broken(
            at,
            format!("what is promised here is taken as it is, and not proven{more}"),
            "`scrimp run` watches `rounds`, `targets` and what comes behind an `end`",
        )
    })
}

/// Whether power-on leads to where lines are counted from.
fn begin(rom: &[u16], contracts: &Contracts) -> Option<Finding> {
    let rebase = |m: &&Mark| matches!(m.promise, Promise::Rebase(_));
    let first = contracts.marks.iter().find(rebase)?;
    contracts.line?;
    let (at, message, help) = match begins(rom, contracts) {
        Begin::Right => return None,
        Begin::Never => (
            first.at,
            "power-on does not lead here, so no line of the running program is proven",
            "the machine begins at word 0",
        ),
        Begin::Lost(at) => (
            at,
            "the way from power-on to the first `rebase` cannot be followed from here",
            "until then nothing may depend on what RAM holds at first",
        ),
    };
    Some(Finding {
        broken: false,
        ..broken(at, message.to_owned(), help)
    })
}

/// Whether a program in ROM can make sync pulses at all.
fn picture(image: &dyn ImageView, rom: &[u16]) -> Option<Finding> {
    let code = |&(at, bytes): &(u64, &[u8])| at < 0x2_0000 && !bytes.is_empty();
    let (address, _) = image.pieces().into_iter().find(code)?;
    let what = match whole::steady_signals(rom) {
        0 => return None,
        0x40 => "hSync fall, so there is no line to prove",
        0x80 => "vSync fall, so no frame begins and no line is proven",
        _ => "hSync or vSync fall, so there is no line to prove",
    };
    Some(Finding {
        broken: false,
        address,
        ..broken(
            0,
            format!("no instruction makes {what}"),
            "write OUT with bit 6 low and high for hSync, bit 7 for vSync",
        )
    })
}

/// Follows blocks and the handler of late ones from power-on; whether that was done.
fn turns(
    rom: &[u16],
    slices: &Slices,
    time: Option<Time>,
    period: Option<i64>,
    contracts: &Contracts,
    out: &mut Proof,
) -> bool {
    // As long as blocks are wrong by themselves there is no more to say.
    if out.findings.iter().any(|f| f.broken) {
        return false;
    }
    let resume = |m: &&Mark| matches!(m.promise, Promise::Resume(_));
    let landings = out.landings.iter().map(|&l| (l / 2) as u16).collect();
    let program = whole::Program {
        syncs: &slices.program.syncs,
        landings: &landings,
        targets: &slices.program.targets,
        resumes: contracts
            .marks
            .iter()
            .filter(resume)
            .map(|m| m.at)
            .collect(),
    };
    let timing = Timing::VGA;
    let spec = whole::Spec {
        late: slices.late,
        time: time.unwrap_or_else(|| slices.time(0)),
        period: period.unwrap_or(timing.period as i64),
        width: (timing.width as i64, timing.slack as i64),
        back: slices.back,
    };
    if !whole::writes_out(rom) {
        let found = whole::stores(rom, &program, spec);
        out.findings.extend(whole::findings(&found));
        return false;
    }
    if time.is_none() {
        out.findings.push(Finding {
            broken: false,
            ..broken(
                slices.late,
                "when late blocks must be done is not said, so no line is proven".into(),
                "say `deadline N` before the handler of late blocks",
            )
        });
        return false;
    }
    let found = whole::whole(rom, &program, spec);
    out.findings.extend(whole::findings(&found));
    if out.findings.is_empty() {
        out.proven += found.states;
        let clocks = found.clocks.iter();
        out.clocks
            .extend(clocks.map(|(&at, &(least, most))| (linear(at), least, most)));
    }
    true
}

/// A line of a wrong length, and how often a frame has it.
fn bad_line(bad: &BadLine, all: &Lines, period: usize) -> Finding {
    let (found, expected) = (bad.period as i64, period as i64);
    let mut f = violation(&Violation {
        from: bad.path.first().map_or(bad.at, |s| s.0),
        to: bad.at,
        fault: Fault::Line { expected, found },
        path: bad.path.clone(),
    });
    let range = |(least, most): (usize, usize)| match least == most {
        true => least.to_string(),
        false => format!("{least} to {most}"),
    };
    if let (Some(these), Some(frame)) = (bad.frame, all.frame) {
        f.message += &format!("; {} of a frame's {} bad lines", range(these), range(frame));
    }
    f.help = Some(match found > expected {
        true => format!("take {} words out of the path", found - expected),
        false => format!("add {} words to the path", expected - found),
    });
    f
}

/// What the walk from power-on takes for granted.
fn taken(found: &Lines) -> Option<Finding> {
    let &at = found.wild.first()?;
    let more = match found.wild.len() - 1 {
        0 => String::new(),
        1 => ", and of another store".to_owned(),
        n => format!(", and of {n} other stores"),
    };
    Some(Finding {
        broken: false,
        address: linear(at),
        from: None,
        message: format!("where this stores is not known{more}"),
        help: Some("taken for granted: no such store hits page 0 or a table of addresses".into()),
        path: Vec::new(),
    })
}

/// What a program says about its slices of time.
fn slices_of(promises: &[Contract]) -> Option<Slices> {
    let mut found = promises
        .iter()
        .find(|c| KINDS[c.kind].name == "slices")
        .and_then(Slices::new)?;
    for c in promises {
        let at = (c.address / 2) as u16;
        match KINDS[c.kind].name {
            "sync" => found.sync(c.address, c.section),
            "stubs" => {
                found.rooms.insert(at);
            }
            "targets" => {
                if !c.words.is_empty() {
                    found.program.landings.insert(at);
                }
                if !c.values.is_empty() {
                    let list = c.values.iter().map(|&v| v as u16).collect();
                    found.program.targets.insert(at, list);
                }
            }
            _ => {}
        }
    }
    Some(found)
}

/// What must be put into a program for its blocks of time to be even.
pub fn plan_image(
    image: &dyn ImageView,
    promises: &[Contract],
    spots: &BTreeMap<Spot, u32>,
) -> Plan {
    match slices_of(promises) {
        Some(s) => even::plan(&rom(image), &s, spots),
        None => Plan::default(),
    }
}

/// Computes the operand of a word from the longest path of its block.
fn charge(rom: &mut [u16], contracts: &Contracts, at: u16, c: &Contract, out: &mut Proof) {
    let [from, to, ..] = c.values[..] else { return };
    let (from, to) = (from as u16, to as u16);
    let more = c.values.get(2).copied().unwrap_or(0);
    let block = Contracts {
        marks: vec![
            Mark {
                at: from,
                promise: Promise::Rebase(0),
            },
            Mark {
                at: to,
                promise: Promise::End,
            },
        ],
        targets: contracts.targets.clone(),
        bounds: contracts.bounds.clone(),
        line: None,
    };
    let proof = prove(rom, &block);
    if let Some(&(place, why, _)) = proof.open.first() {
        let mut f = open(place, why, from);
        f.broken = true;
        f.message = format!("the length of the block is not known: {}", f.message);
        out.findings.push(f);
        return;
    }
    let Some(&(_, longest)) = proof.ends.get(&to) else {
        let message = "no path leads from the start of the block to its end".to_owned();
        out.findings
            .push(broken(at, message, "name the label behind its last word"));
        return;
    };
    let clocks = longest + more;
    if !(0..=MOST_CHARGE).contains(&clocks) {
        let message = format!(
            "the block takes {clocks} clocks, {} too many",
            clocks - MOST_CHARGE
        );
        out.findings.push(broken(
            at,
            message,
            "divide it: the time left is a signed byte, so a block has 128 clocks at most",
        ));
        return;
    }
    let operand = (-clocks) as u8;
    let word = &mut rom[usize::from(at)];
    *word = *word & 0xff | u16::from(operand) << 8;
    out.patches.push((linear(at) + 1, vec![operand]));
    out.proven += 1;
}

fn violation(v: &Violation) -> Finding {
    let few = |more: i64| match more {
        0.. => format!("{more} too many"),
        _ => format!("{} too few", -more),
    };
    let (message, help) = match v.fault {
        Fault::Clock { expected, found } => (
            format!(
                "a path comes here at clock {found}, {}: clock {expected} is promised",
                few(found - expected)
            ),
            match found > expected {
                true => format!("take {} words out of the path", found - expected),
                false => format!("add {} words to the path", expected - found),
            },
        ),
        Fault::Answer {
            expected,
            found,
            clocks,
        } => (
            format!(
                "{clocks} clocks are used, but the answer ${found:02X} says {}",
                answered(found)
            ),
            match clocks % 2 {
                0 => format!("answer ${expected:02X}, or make the paths alike"),
                _ => "add a word: only an even number can be answered".to_owned(),
            },
        ),
        Fault::Resume { expected, found } => (
            format!(
                "a late block goes on with ${found:02X} in AC, but ${expected:02X} is the time that is left"
            ),
            format!("load ${expected:02X} in the slot, or change the clock of the way to it"),
        ),
        Fault::Line { expected, found } => (
            format!(
                "hSync falls after {found} clocks, {}: a line has {expected}",
                few(found - expected)
            ),
            "all paths from edge to edge take the same time".to_owned(),
        ),
    };
    Finding {
        broken: true,
        address: linear(v.to),
        from: Some(linear(v.from)),
        message,
        help: Some(help),
        path: v
            .path
            .iter()
            .map(|&(at, clock)| (linear(at), clock))
            .collect(),
    }
}

/// Clocks that a byte in AC stands for.
pub(crate) fn answered(ac: u8) -> i64 {
    -2 * i64::from(ac as i8)
}

/// Lines that are told apart by too many values of cells.
fn too_many(found: &Lines) -> Option<Finding> {
    let &(at, ..) = found.open.iter().find(|o| o.1 == Open::TooMany)?;
    let cell = |&(c, n): &(u8, usize)| format!("${c:04X} has {n}");
    let cells: Vec<String> = found.many.iter().map(cell).collect();
    (!cells.is_empty()).then(|| Finding {
        broken: false,
        ..broken(
            at,
            "there are too many different lines to walk them all; the others are not proven".into(),
            &format!(
                "lines differ by the values of cells that decide where the program goes: {}; \
                 let as few of them as can be change by themselves",
                cells.join(", ")
            ),
        )
    })
}

fn open(at: u16, why: Open, from: u16) -> Finding {
    let (message, help) = match why {
        Open::Jump => (
            "where this jumps is not known",
            "say it with `targets` before it",
        ),
        Open::Loop => (
            "how often this runs is not known",
            "say it with `rounds` before it, or put a `clock` into the loop",
        ),
        Open::TooMany => (
            "there are too many paths to walk them all; what is behind is not proven",
            "put a `clock` where paths meet",
        ),
        Open::Answer => (
            "AC is not known where it must answer",
            "load the answer as a number, right before",
        ),
        Open::Edge => (
            "whether hSync falls here is not known",
            "load OUT with a number",
        ),
    };
    Finding {
        broken: false,
        address: linear(at),
        from: (from != at).then_some(linear(from)),
        message: message.into(),
        help: Some(help.into()),
        path: Vec::new(),
    }
}
