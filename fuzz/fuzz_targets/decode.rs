//! Any bytes as instructions of each target: what is decoded lies in them, and for the
//! first target the text of each assembles to the bytes it came from.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, assemble, dialect, targets};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else {
        return;
    };
    let all = targets::all();
    let target = all[usize::from(choice) % all.len()];
    let address = 0x8000;
    let Some(found) = target.decode(data, address) else {
        return;
    };
    let len = usize::from(found.len);
    assert!(len >= 1 && len <= data.len());
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: None,
        dialect: dialect::names()[0].into(),
        defines: Vec::new(),
    };
    let text = format!("  org {address}\n  {}\n", found.text);
    let out = assemble(&job, &MemoryLoader::default().with("main.asm", text));
    // Elsewhere some of the text depends on the device and the place.
    if target.name() == targets::default().name() {
        let image = out.image.expect("the text of an instruction assembles");
        assert_eq!(image.binary(0), &data[..len], "{}", found.text);
    }
});
