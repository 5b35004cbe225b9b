//! Any bytes as instructions: the text of each assembles to the bytes it came from.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scrimp::source::MemoryLoader;
use scrimp::{Job, assemble, dialect, targets};

fuzz_target!(|data: &[u8]| {
    let target = targets::default();
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
    let image = out.image.expect("the text of an instruction assembles");
    assert_eq!(image.binary(0), &data[..len], "{}", found.text);
});
