//! Programs and firmware from source text.

use std::path::Path;
use std::sync::LazyLock;

use scrimp::diagnostic::short;
use scrimp::disk::DiskLoader;
use scrimp::image::Image;
use scrimp::text::source::{Loader, MemoryLoader};
use scrimp::{Job, assemble, targets};
use scrimp_isa::container::Contained;
use scrimp_isa::{ImageView, Machine};

/// An image as container writers see it.
struct View<'a>(&'a Image);

impl ImageView for View<'_> {
    fn pieces(&self) -> Vec<(u64, &[u8])> {
        let chunks = self.0.chunks.iter().filter(|c| !c.bytes.is_empty());
        let mut pieces: Vec<_> = chunks.map(|c| (c.address, &c.bytes[..])).collect();
        pieces.sort_by_key(|p| p.0);
        pieces
    }
    fn symbol(&self, name: &str) -> Option<i64> {
        self.0.symbol(name).map(|s| s.value)
    }
    fn option(&self, name: &str) -> Option<&str> {
        let found = self.0.options.iter().find(|o| o.0 == name);
        found.map(|o| o.1.as_str())
    }
    fn name(&self) -> &str {
        "test"
    }
}

pub fn machine(name: &str) -> &'static dyn Machine {
    let mut machines = targets::default().machines().iter().copied();
    machines.find(|m| m.name() == name).expect("the machine")
}

fn image(file: &str, machine: Option<&dyn Machine>, loader: &dyn Loader) -> Image {
    let job = Job {
        file: file.into(),
        target: targets::default(),
        machine,
        dialect: "native".into(),
        defines: Vec::new(),
    };
    let output = assemble(&job, loader);
    output.image.unwrap_or_else(|| {
        let findings = output.diagnostics.iter();
        let lines: Vec<_> = findings.map(|d| short::short(d, &output.sources)).collect();
        panic!("{}", lines.join("\n"));
    })
}

/// The `.p` of a source text for `zx81-1k`.
pub fn write(source: &str) -> Contained {
    write_for("zx81-1k", source)
}

/// The same for a machine.
pub fn write_for(name: &str, source: &str) -> Contained {
    let machine = machine(name);
    let loader = MemoryLoader::default().with("main.asm", source);
    let image = image("main.asm", Some(machine), &loader);
    (machine.containers()[0].write)(&View(&image)).unwrap_or_else(|e| panic!("{}", e.message))
}

/// Our own ROM.
pub fn firmware() -> &'static [u8] {
    static ROM: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/programs/zx81-firmware");
        let loader = DiskLoader::new().search(Path::new(folder));
        image("firmware.asm", None, &loader).binary(0xFF)
    });
    &ROM
}
