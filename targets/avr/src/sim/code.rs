//! Flash as the simulator reads it: one [`Ins`] for each word.

use scrimp_isa::{Cycles, Form, Pattern};

use super::chip::Chip;
use crate::clocks::cycles;
use crate::op::Op;
use crate::semantics::Ins;
use crate::table::FORMS;
use crate::target::decoder;

/// An encoding that means nothing. It takes a clock and does nothing.
const UNDEFINED: Ins = Ins {
    op: Op::Undefined,
    d: 0,
    r: 0,
    short: 1,
    long: 1,
    words: 1,
    k: 0,
};

/// Stands behind the end of flash; the simulator goes on at the beginning.
pub(super) const END: Ins = Ins {
    short: 0,
    long: 0,
    ..UNDEFINED
};

/// The instruction at an address in words.
pub fn ins(chip: &Chip, flash: &[u8], at: u32) -> Ins {
    let words = chip.words();
    let byte = |n: u32| {
        let at = ((at + n / 2) % words) as usize * 2 + (n % 2) as usize;
        flash.get(at).copied().unwrap_or(0xff)
    };
    decoded(chip, [0, 1, 2, 3, 4, 5].map(byte), at)
}

/// The instruction that these bytes begin with, at an address in words. What a skip
/// passes over is behind it.
pub fn decoded(chip: &Chip, bytes: [u8; 6], at: u32) -> Ins {
    let [a, b, c, d, e, f] = bytes;
    let here = [a, b, c, d];
    if here[..2] == [0xff, 0xff] {
        return UNDEFINED;
    }
    let Some(row) = decoder().find_on(&here, chip.features) else {
        return UNDEFINED;
    };
    let form = &FORMS[row];
    let word = Word {
        form,
        code: u64::from(u32::from_le_bytes(here)),
    };
    let pattern = &form.pattern;
    let (short, long) = match cycles(form, chip.core, chip.wide()) {
        Cycles::Fixed(n) => (n, n),
        Cycles::Branch { taken, not_taken } => (not_taken, taken),
        Cycles::Skip { none, .. } => {
            let next = decoder().find_on(&[c, d, e, f], chip.features);
            let over = next.map_or(1, |row| words_of(&FORMS[row].pattern));
            (none, none + over)
        }
        _ => unreachable!("a time that no AVR instruction has"),
    };
    let mut found = Ins {
        op: Op::ALL[usize::from(form.op)],
        d: word.register(b'd'),
        r: word.register(b'r'),
        short,
        long,
        words: words_of(pattern),
        k: 0,
    };
    // Of a store the only register is the first.
    if pattern.field(b'd').is_none() {
        found.d = found.r;
    }
    if pattern.field(b'b').is_some() {
        found.r = word.field(b'b') as u8;
    }
    found.constant(chip, &word, at);
    found
}

/// A row of the table and the instruction word that is an instance of it.
struct Word {
    form: &'static Form,
    code: u64,
}

impl Word {
    fn field(&self, letter: u8) -> u32 {
        let found = self.form.pattern.field(letter);
        found.map_or(0, |f| f.extract(self.code) as u32)
    }

    /// The register in a field. A narrow one counts from r16, or the pairs.
    fn register(&self, letter: u8) -> u8 {
        let n = self.field(letter) as u8;
        let mut classes = self.form.operand_names();
        let class = classes.find(|c| c.as_bytes()[0] == letter);
        match class.map(|c| &c[1..]) {
            Some("16" | "8") => n + 16,
            Some("2") => n * 2,
            _ => n,
        }
    }
}

impl Ins {
    /// Sets the constant, address or target in an instruction at `at`, in words. SER is
    /// LDI with all bits set, which is how it decodes.
    fn constant(&mut self, chip: &Chip, word: &Word, at: u32) {
        let pattern = &word.form.pattern;
        let goes = || target(*pattern, word.code, at, chip.words());
        match self.op {
            Op::Adiw | Op::Sbiw => self.d = 24 + 2 * word.field(b'd') as u8,
            Op::Rjmp | Op::Rcall | Op::Jmp | Op::Call => self.go(goes()),
            op if (Op::Brcs as u8..=Op::Brid as u8).contains(&(op as u8)) => self.go(goes()),
            Op::Lds | Op::Sts if self.words == 1 => {
                let k = word.field(b'k') as u16;
                self.k = if k & 0x40 == 0 { k + 0x80 } else { k };
            }
            Op::Lds | Op::Sts => self.k = word.field(b'k') as u16,
            Op::In | Op::Out | Op::Sbi | Op::Cbi | Op::Sbic | Op::Sbis => {
                self.k = word.field(b'a') as u16 + chip.io();
            }
            _ if pattern.field(b'q').is_some() => self.k = word.field(b'q') as u16,
            _ => {}
        }
        if pattern.field(b'K').is_some() {
            self.k = word.field(b'K') as u16;
        }
    }

    /// Sets the target, in words.
    fn go(&mut self, target: u32) {
        self.r = (target >> 16) as u8;
        self.k = target as u16;
    }
}

/// Words of an instruction.
fn words_of(pattern: &Pattern) -> u8 {
    pattern.len / 2
}

/// Where a jump goes, in words.
fn target(pattern: Pattern, code: u64, at: u32, words: u32) -> u32 {
    let Some(field) = pattern.field(b'k') else {
        return 0;
    };
    let k = field.extract(code) as i64;
    let target = if pattern.len == 4 {
        k
    } else {
        let top = 1i64 << field.width;
        let distance = if k >= top / 2 { k - top } else { k };
        i64::from(at) + 1 + distance
    };
    target.rem_euclid(i64::from(words)) as u32
}
