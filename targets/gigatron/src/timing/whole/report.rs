//! What came of following a whole program, as findings.

use scrimp_isa::proof::Finding;

use super::{Doubt, Fault, Whole, Wrong};
use crate::opcode::{self, Opcode};
use crate::timing::words::{broken, linear};

/// Whether a program has an instruction that writes OUT: then it makes a picture.
pub fn writes_out(rom: &[u16]) -> bool {
    rom.iter().any(|&word| {
        let op = Opcode(word as u8);
        // Nothing lies where words are 0.
        matches!(op.mode(), 6 | 7) && !op.is_jump() && op.operation() != opcode::STORE
    })
}

/// Bits of the sync signals that a program can't make fall: OUT is never written with the
/// bit low, never with the bit high, or neither; and never with what is not known.
pub fn steady_signals(rom: &[u16]) -> u8 {
    let (mut low, mut high) = (0u8, 0u8);
    for &word in rom {
        let [op, operand] = word.to_le_bytes();
        let op = Opcode(op);
        if !matches!(op.mode(), 6 | 7) || op.is_jump() || op.operation() == opcode::STORE {
            continue;
        }
        let known = op.operation() == 0 && op.bus() == opcode::OPERAND;
        low |= if known { !operand } else { 0xff };
        high |= if known { operand } else { 0xff };
    }
    !(low & high) & 0xc0
}

/// All that is wrong or not proven.
pub fn findings(whole: &Whole) -> Vec<Finding> {
    let mut out: Vec<Finding> = whole.faults.iter().map(fault).collect();
    out.extend(whole.doubts.iter().map(|&(at, why)| doubt(at, why)));
    // Where too little is known, what seems to be wrong may come of that.
    if out.iter().any(|f| !f.broken) {
        let sure = |f: &Finding| {
            let hit = |d: &(u16, Doubt)| linear(d.0) == f.address && d.1 == Doubt::Left(true);
            whole.doubts.iter().any(hit)
        };
        for f in &mut out {
            f.broken = sure(f);
        }
    }
    if out.is_empty() {
        out.extend(frames(whole));
    }
    out
}

fn fault(f: &Fault) -> Finding {
    let more = f.found - f.wanted;
    let few = match more {
        0.. => format!("{more} too many"),
        _ => format!("{} too few", -more),
    };
    let (message, help) = match f.wrong {
        Wrong::Period => (
            format!(
                "hSync falls after {} clocks, {few}: a line has {}",
                f.found, f.wanted
            ),
            match more {
                0.. => format!("take {more} words out of the path"),
                _ => format!("add {} words to the path", -more),
            },
        ),
        Wrong::Width => (
            format!("hSync is low for {} clocks, {few}", f.found),
            "it rises 24 clocks after it fell".to_owned(),
        ),
        Wrong::Resume(_) => (
            format!(
                "a late block goes on with ${:02X} in AC, but ${:02X} is the time that is left",
                f.found as u8, f.wanted as u8
            ),
            "load it in the slot, or change the clock of the way to it".to_owned(),
        ),
    };
    let mut finding = broken(f.at, message, &help);
    finding.from = f.path.first().map(|s| linear(s.0));
    finding.path = f.path.iter().map(|&(at, c)| (linear(at), c)).collect();
    finding
}

fn doubt(at: u16, why: Doubt) -> Finding {
    let place = |to: u16| format!("${to:04X}");
    let (is_broken, message, help) = match why {
        Doubt::Jump => (
            false,
            "where this jumps is not known".to_owned(),
            "what it jumps to must come from numbers in the program",
        ),
        Doubt::Target(to) => (
            false,
            format!(
                "this may jump to {}, which is not among its `targets`",
                place(to)
            ),
            "name all of them, or see what comes to the cell",
        ),
        Doubt::Landing(to) => (
            false,
            format!("this may jump to {}, where no `sync` is", place(to)),
            "let it land on a `sync`, or drop `targets sync`",
        ),
        Doubt::Slot => (
            true,
            "a `sync` in the slot of a jump".to_owned(),
            "put an instruction between them",
        ),
        Doubt::Left(hits) => (
            hits,
            match hits {
                true => "this store hits the cell with the time left",
                false => "this store may hit the cell with the time left",
            }
            .to_owned(),
            "keep its address away from that cell",
        ),
        Doubt::Charge(known) => (
            known,
            "a path of this block takes other clocks than it pays".to_owned(),
            "leave the cell with the time left to `sync`",
        ),
        Doubt::Store => (
            false,
            "this store may hit any cell of page 0".to_owned(),
            "let its address come from numbers in the program",
        ),
        Doubt::Out => (
            true,
            "a block writes OUT".to_owned(),
            "leave the sync pulses and the picture to the handler",
        ),
        Doubt::Control => (
            false,
            "what a command to the expander does is not followed".to_owned(),
            "leave it out: the proof is for machines without banks",
        ),
        Doubt::TooMany => (
            false,
            "from here on there are too many states to follow them all".to_owned(),
            "let values that decide where the program goes come from numbers in the program",
        ),
        Doubt::Boot => (
            false,
            "the way from power-on to the first `sync` cannot be followed".to_owned(),
            "until then nothing may depend on what RAM holds at first",
        ),
        Doubt::Edge => (
            false,
            "whether hSync or vSync changes here is not known".to_owned(),
            "let OUT come from numbers in the program",
        ),
        Doubt::Time(left) => (
            true,
            format!("a late block goes on with {left} clocks more than the longest block takes"),
            "resume it 0 to 127 clocks before there is no time for the longest block",
        ),
        Doubt::Resume => (
            false,
            "that the late block goes on here is not known".to_owned(),
            "keep its page and place in cells that nothing else changes",
        ),
    };
    let mut finding = broken(at, message, help);
    finding.broken = is_broken;
    finding
}

fn frames(whole: &Whole) -> Option<Finding> {
    let message = match whole.frames? {
        Ok(_) => return None,
        Err(Some((least, most))) => {
            format!("frames differ: vSync comes after {least} and after {most} lines")
        }
        Err(None) => "vSync never comes, so no line is a line of a picture".to_owned(),
    };
    // What lay in RAM at power-on, or blocks change, may be what differs.
    let help = match whole.joined.first() {
        Some(cell) => format!(
            "let the handler count with cells that it alone changes and that hold a number \
             before the first block; ${cell:04X} can hold too many values"
        ),
        None => "let bit 7 of OUT be low for some lines of each frame".to_owned(),
    };
    Some(broken(0, message, &help))
}
