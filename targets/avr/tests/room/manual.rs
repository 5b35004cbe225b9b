//! The table in `docs/manual/avr.md` is the table of the instruction set. Run with
//! `BLESS=1` to write it.

use scrimp_avr::Core;
use scrimp_avr::clocks::cycles;
use scrimp_avr::features::{FULL, RC};
use scrimp_avr::table::FORMS;
use scrimp_avr::{AVR, features};
use scrimp_isa::{Form, Target};

const BEGIN: &str = "<!-- table -->\n";
const END: &str = "<!-- end -->\n";

/// Whether a core can have a form at all.
fn on(core: Core, f: &Form) -> bool {
    let never = match core {
        Core::AvrRc => {
            FULL | features::LPM
                | features::LPMX
                | features::LPMZP
                | features::ELPM
                | features::ELPMX
                | features::MUL
                | features::MOVW
                | features::JMP
                | features::ADIW
                | features::SPM
                | features::SPMX
                | features::EIND
                | features::DES
                | features::RMW
        }
        Core::AvrXm => RC,
        Core::AvrXt => RC | features::DES | features::RMW | features::EIND,
        _ => RC | features::DES | features::RMW | features::SPMX,
    };
    f.needs & never == 0
}

/// One row for each form that is not another spelling.
fn table() -> String {
    let mut text = String::from(
        "| instruction | bits | needs | AVRe | AVRxm | AVRxt | AVRrc |\n|---|---|---|---|---|---|---|\n",
    );
    let names = AVR.features();
    for f in FORMS.iter().filter(|f| !f.alias) {
        let line = format!("{} {}", f.name, f.operands);
        let needs: Vec<&str> = (0..names.len())
            .filter(|&bit| f.needs >> bit & 1 == 1)
            .map(|bit| names[bit])
            .collect();
        let time = |core| match on(core, f) {
            true => cycles(f, core, false).to_string(),
            false => String::new(),
        };
        let cores = [Core::AvrE, Core::AvrXm, Core::AvrXt, Core::AvrRc].map(time);
        text.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            line.trim_end(),
            bits(f),
            needs.join(", "),
            cores.join(" | ")
        ));
    }
    text
}

/// The pattern with a letter for each bit, whole words of one field by its letter
/// alone.
fn bits(f: &Form) -> String {
    let p = &f.pattern;
    let word = |i: u8| {
        let bit = |b: u8| {
            let at = 16 * i + b;
            if p.mask >> at & 1 == 1 {
                return if p.fixed >> at & 1 == 1 { '1' } else { '0' };
            }
            let field = p.fields.iter().find(|f| f.deposit(u64::MAX) >> at & 1 == 1);
            field.map_or('?', |f| f.letter.into())
        };
        let text: String = (0..16).rev().map(bit).collect();
        let first = &text[..1];
        if !"01".contains(first) && text == first.repeat(16) {
            return first.to_string();
        }
        text
    };
    (0..p.len / 2).map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_manual_has_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/manual/avr.md");
    let text = std::fs::read_to_string(path).expect("the manual");
    let (before, rest) = text.split_once(BEGIN).expect("the mark before the table");
    let (found, after) = rest.split_once(END).expect("the mark behind the table");
    if std::env::var_os("BLESS").is_some() {
        let new = format!("{before}{BEGIN}{}{END}{after}", table());
        std::fs::write(path, new).expect("the manual is written");
        return;
    }
    assert!(found == table(), "the table is stale: run with BLESS=1");
}
