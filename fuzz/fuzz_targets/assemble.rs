//! Any bytes as a source in each dialect on each target: no panic, and no image with an
//! error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scrimp::diagnostic::{Level, flood, json::json, short::short};
use scrimp::text::source::MemoryLoader;
use scrimp::{Job, assemble, dialect, targets};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else {
        return;
    };
    let (names, all) = (dialect::names(), targets::all());
    let choice = usize::from(choice);
    let target = all[choice / names.len() % all.len()];
    let machine = target.machine_names().first().and_then(|m| target.machine(m));
    let job = Job {
        file: "main.asm".into(),
        target,
        machine: machine.filter(|_| choice / names.len() / all.len() % 2 == 1),
        dialect: names[choice % names.len()].into(),
        defines: Vec::new(),
    };
    let out = assemble(&job, &MemoryLoader::default().with("main.asm", text));
    let failed = out.diagnostics.iter().any(|d| d.level == Level::Error);
    assert_eq!(failed, out.image.is_none());
    let (text, _) = flood::limited(&out.diagnostics, |d| {
        short(d, &out.sources) + &json(d, &out.sources)
    });
    assert!(text.len() <= flood::MOST_BYTES);
    if let Some(image) = out.image {
        let runs = image.chunks.iter().flat_map(|c| &c.runs);
        assert_eq!(runs.map(|r| r.len as usize).sum::<usize>(), image.len());
    }
});
