//! The score board `programs/SIZES.snap`: every byte of every shipped program shows
//! in review. After a change: `INSTA_UPDATE=always cargo test --test sizes`.

use scrimp::disk::DiskLoader;
use scrimp::report::Sizes;
use scrimp::report::board::{Row, board};
use scrimp::write::View;
use scrimp::{Job, assemble, dialect, targets};
use std::path::{Path, PathBuf};

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

fn row(folder: &Path) -> Row {
    let text = std::fs::read_to_string(folder.join("program.toml")).expect("a program.toml");
    let toml: toml::Table = text.parse().expect("TOML");
    let get = |key: &str| toml.get(key).and_then(|v| v.as_str());
    let name = get("name").expect("a name").to_owned();
    let target = get("target").map_or(targets::default(), |t| targets::by_name(t).expect("one"));
    let machine = get("machine").map(|m| target.machine(m).expect("a machine"));
    let table = |key: &str| toml.get(key).and_then(|v| v.as_table());
    let defines = table("define").into_iter().flatten();
    let main = folder.join(get("main").expect("a main file"));
    let job = Job {
        file: main.to_str().expect("UTF-8").to_owned(),
        target,
        machine,
        dialect: get("dialect").unwrap_or(dialect::names()[0]).to_owned(),
        defines: defines
            .map(|(n, v)| (n.clone(), v.as_integer().expect("a number").into()))
            .collect(),
    };
    let output = assemble(&job, &DiskLoader::new().search(folder));
    let image = output
        .image
        .unwrap_or_else(|| panic!("{name}: {:?}", output.diagnostics));
    let sizes = Sizes::of(&name, &image, &output.sources, target);
    assert_eq!(sizes.total, image.stored_len() as u64);
    let stored = sizes.routines.iter().filter(|r| !r.room);
    let sum: u64 = stored.map(|r| r.total).sum();
    assert_eq!(sum, sizes.total, "{name}");
    let options: Vec<(String, String)> = table("options")
        .into_iter()
        .flatten()
        .map(|(n, v)| {
            let text = v.as_str().map_or_else(|| v.to_string(), str::to_owned);
            (n.clone(), text)
        })
        .collect();
    let view = View::new(&image, &options, &name);
    let emits = toml.get("emit").and_then(|e| e.as_array());
    let emitted = |name: &str| emits.is_some_and(|e| e.iter().any(|e| e.as_str() == Some(name)));
    let containers = machine.map_or(&[][..], |m| m.containers()).iter();
    Row {
        containers: containers
            .filter_map(|c| match (c.write)(&view) {
                Ok(made) => Some((c.name.to_owned(), made.bytes.len() as u64)),
                // Such as a program in ROM as one for RAM.
                Err(e) => {
                    assert!(!emitted(c.name), "{name}: {}", e.message);
                    None
                }
            })
            .collect(),
        sizes,
    }
}

#[test]
fn score_board() {
    let mut rows = Vec::new();
    for entry in std::fs::read_dir(programs()).expect("programs") {
        let folder = entry.expect("an entry").path();
        if folder.join("program.toml").is_file() {
            rows.push(row(&folder));
        }
    }
    insta::with_settings!({
        snapshot_path => programs(),
        prepend_module_to_snapshot => false,
        omit_expression => true,
        description => "bytes of each shipped program, by section, and of its files",
    }, {
        insta::assert_snapshot!("SIZES", board(&rows));
    });
}
