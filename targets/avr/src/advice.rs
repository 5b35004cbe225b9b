//! What speaks against an instruction that encodes, and what to write instead of one
//! that a device lacks.

use scrimp_isa::{Advice, Machine};

use crate::features;
use crate::op::Op;
use crate::operands::OPERANDS;
use crate::table::{FORMS, operation};

/// What reaches farther than an operand of a class.
pub fn reach(operand: &str) -> Option<&'static str> {
    Some(match operand {
        "io6" => "registers beyond have addresses of data memory: use `lds` and `sts`",
        "io5" => {
            "registers beyond 31 have no bit instructions: load, change and store the byte; what GNU's <avr/io.h> has are addresses of data memory, 32 more: write `_SFR_IO_ADDR(…)`"
        }
        "k7" => "skip an `rjmp` by the opposite condition",
        "k12" => "use `jmp` or `call` where the part has them, or jump by way of another `rjmp`",
        _ => return None,
    })
}

/// What to write where the device lacks a form.
pub fn instead(form: u16, machine: &dyn Machine) -> Option<String> {
    let has = |bits: u32| machine.features() & bits == bits;
    let f = &FORMS[usize::from(form)];
    let reaches = machine.wraps().is_some_and(|bytes| bytes <= 0x2000);
    let relative = |name: &str| match reaches {
        true => format!("`{name}` reaches all of its flash"),
        false => format!("use `{name}`, which reaches 4 KiB either way"),
    };
    let text = match operation(form) {
        Op::Jmp => relative("rjmp"),
        Op::Call => relative("rcall"),
        Op::Eijmp if has(features::IJMP) => "use `ijmp`: its program counter has 16 bits".into(),
        Op::Eicall if has(features::IJMP) => "use `icall`: its program counter has 16 bits".into(),
        Op::Ijmp => "push the address, low byte first, and `ret`".into(),
        Op::Icall => {
            "`rcall` a routine that pushes the address, low byte first, and ends with `ret`".into()
        }
        Op::Movw => "use two `mov`".into(),
        Op::Mul | Op::Muls | Op::Mulsu | Op::Fmul | Op::Fmuls | Op::Fmulsu => {
            "call a routine that shifts and adds".into()
        }
        Op::Adiw if has(features::RC) => "use `subi` and `sbci` with the negated number".into(),
        Op::Sbiw if has(features::RC) => "use `subi` and `sbci`".into(),
        Op::Adiw => "use `subi` and `sbci` with the negated number".into(),
        Op::Sbiw => "use `subi` and `sbci`".into(),
        Op::Lpm if has(features::RC) => "flash is in data memory from $4000 here: use `ld`".into(),
        Op::LpmInc if has(features::RC) => {
            "flash is in data memory from $4000 here: use `ld` with Z+".into()
        }
        Op::Lpm if has(features::LPM) => "use `lpm`, which loads r0, then `mov`".into(),
        Op::LpmInc if has(features::LPMX) => "use `lpm Rd,Z`, then `adiw r30,1`".into(),
        Op::LpmInc if has(features::LPM) => {
            "use `lpm`, which loads r0, then `mov` and `adiw r30,1`".into()
        }
        Op::Elpm if has(features::ELPM) => "use `elpm`, which loads r0, then `mov`".into(),
        Op::ElpmInc if has(features::ELPM) => {
            "use `elpm`, which loads r0, then `mov`, and count Z and RAMPZ up".into()
        }
        Op::Elpm | Op::ElpmInc if has(features::LPM) => {
            "use `lpm`: its flash has 64 KiB at most".into()
        }
        Op::Spm | Op::SpmInc if machine.fact("core").as_deref() == Some("AVRxt") => {
            "flash is in data memory here: use `st`, by way of NVMCTRL".into()
        }
        Op::Spm => "it cannot write its own flash".into(),
        Op::SpmInc if has(features::SPM) => "use `spm` and count Z up".into(),
        Op::LdY | Op::LdZ if f.name == "ldd" && has(features::SRAM) => {
            "point there with `subi` and `sbci`, then `ld`".into()
        }
        Op::StY | Op::StZ if f.name == "std" && has(features::SRAM) => {
            "point there with `subi` and `sbci`, then `st`".into()
        }
        Op::Lds if has(features::RC | features::SRAM) => {
            "`lds` takes r16 to r31 and addresses $40 to $bf here; `in` reads I/O, `ld` all".into()
        }
        Op::Sts if has(features::RC | features::SRAM) => {
            "`sts` takes r16 to r31 and addresses $40 to $bf here; `out` writes I/O, `st` all"
                .into()
        }
        Op::Push | Op::Pop | Op::Lds | Op::Sts if !has(features::SRAM) => {
            "it has no SRAM: keep the value in a register".into()
        }
        Op::Xch | Op::Las | Op::Lac | Op::Lat => {
            "use `ld` and `st` with interrupts off between".into()
        }
        Op::Break => "use `nop`, or `rjmp` to itself".into(),
        _ => return None,
    };
    Some(text)
}

/// What speaks against an instruction on a device.
pub fn check(form: u16, word: u64, machine: Option<&dyn Machine>) -> Option<Advice> {
    if let Some(machine) = machine.filter(|m| m.features() & features::RC != 0)
        && let Some(register) = low(form, word)
    {
        return Some(Advice {
            error: true,
            message: format!("{} has no r{register}", machine.title()),
            help: Some("use r16 to r31".into()),
        });
    }
    undefined(form, word)
}

/// A register below r16 that an instruction names.
fn low(form: u16, word: u64) -> Option<u64> {
    let classes = FORMS[usize::from(form)].operand_names();
    let mut registers = classes.filter_map(|class| register(form, class, word));
    registers.find(|&r| r < 16)
}

/// The same of the bytes of an instruction.
pub fn low_register(form: u16, bytes: &[u8]) -> Option<u64> {
    let bytes = bytes.iter().take(4).rev();
    low(form, bytes.fold(0, |word, &b| word << 8 | u64::from(b)))
}

/// The register that an operand of a class names, of those that may be any register.
fn register(form: u16, class: &str, word: u64) -> Option<u64> {
    if !matches!(class, "d" | "r" | "d2" | "r2") {
        return None;
    }
    let operand = OPERANDS.iter().find(|o| o.name == class)?;
    let field = FORMS[usize::from(form)]
        .pattern
        .field(operand.words?.field)?;
    let scale = if class.ends_with('2') { 2 } else { 1 };
    Some(field.extract(word) * scale)
}

/// A load to, or store from, the pointer that the instruction changes.
fn undefined(form: u16, word: u64) -> Option<Advice> {
    let (pointer, name, class) = match operation(form) {
        Op::LdXInc | Op::LdXDec => (26, 'X', "d"),
        Op::LdYInc | Op::LdYDec => (28, 'Y', "d"),
        Op::LdZInc | Op::LdZDec | Op::LpmInc | Op::ElpmInc => (30, 'Z', "d"),
        Op::StXInc | Op::StXDec => (26, 'X', "r"),
        Op::StYInc | Op::StYDec => (28, 'Y', "r"),
        Op::StZInc | Op::StZDec => (30, 'Z', "r"),
        _ => return None,
    };
    let register = register(form, class, word).filter(|r| r & !1 == pointer)?;
    Some(Advice {
        error: false,
        message: format!(
            "r{register} is half of {name}, which this changes: the result is undefined"
        ),
        help: Some("use another register or pointer".into()),
    })
}
