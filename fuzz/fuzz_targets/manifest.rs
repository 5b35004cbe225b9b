//! Any text as a `program.toml`, and as one with a board for each target's machines: a
//! fault with a place in it, or what it says; no panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scrimp::session::manifest::Manifest;
use scrimp::targets;
use scrimp::text::source::SourceId;

fuzz_target!(|text: &str| {
    match Manifest::parse(text, SourceId(0)) {
        Ok(m) => drop(m.budgets(SourceId(0))),
        Err(d) => assert!(d.span.is_none_or(|s| s.end as usize <= text.len())),
    }
    for target in targets::all() {
        let names = target.machine_names();
        let machine = names.first().and_then(|m| target.machine(m));
        let fault = machine.and_then(|m| m.check_board(text).err());
        if let Some(span) = fault.and_then(|f| f.span) {
            assert!(span.end <= text.len());
        }
    }
});
