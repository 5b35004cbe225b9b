//! The table in `docs/manual/z80.md` is the table of the instruction set. Run with
//! `BLESS=1` to write it.

use scrimp_isa::Form;
use scrimp_z80::table::FORMS;

const BEGIN: &str = "<!-- table -->\n";
const END: &str = "<!-- end -->\n";

/// One row for each form that is not another spelling.
fn table() -> String {
    let mut text = String::from("| instruction | bits | T-states |\n|---|---|---|\n");
    let shown = |f: &&Form| !f.alias && !f.name.starts_with('*') && f.needs == 0;
    for f in FORMS.iter().filter(shown) {
        let operands = f.operands.replace("refresh", "r");
        let operands = operands.replace("high", "half").replace("low", "half");
        let operands = operands
            .replace("r5", "r")
            .replace("s5", "s")
            .replace("p4", "p");
        let line = format!("{} {operands}", f.name);
        let star = if f.documented { "" } else { " *" };
        let bits = bits(f);
        text.push_str(&format!(
            "| `{}`{star} | {bits} | {} |\n",
            line.trim_end(),
            f.cycles
        ));
    }
    text
}

/// The pattern with a letter for each bit, whole bytes of one field by its letter
/// alone.
fn bits(f: &Form) -> String {
    let p = &f.pattern;
    let byte = |i: u8| {
        let bit = |b: u8| {
            let at = 8 * i + b;
            if p.mask >> at & 1 == 1 {
                return if p.fixed >> at & 1 == 1 { '1' } else { '0' };
            }
            let field = p.fields.iter().find(|f| f.deposit(u64::MAX) >> at & 1 == 1);
            field.map_or('?', |f| f.letter.into())
        };
        let text: String = (0..8).rev().map(bit).collect();
        let first = &text[..1];
        if !"01".contains(first) && text == first.repeat(8) {
            return first.to_string();
        }
        text
    };
    (0..p.len).map(byte).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_manual_has_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/manual/z80.md");
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

#[test]
fn sequences_without_a_text_are_in_the_manual() {
    let unwritten: Vec<_> = FORMS.iter().filter(|f| f.name.starts_with('*')).collect();
    assert_eq!(
        unwritten.len(),
        23,
        "mend the table of them in the manual too"
    );
}
