//! A machine under power: the program assembled and loaded, our own firmware
//! assembled and put in the place of the ROM.

use super::binary::Binary;
use super::build::Build;
use super::front::Session;
use super::names::number;
use super::promises::{self, Origin};
use super::refusal::Refusal;
use super::shipped;
use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes};
use crate::disk;
use crate::image::origin;
use crate::image::ranges::Ranges;
use crate::image::{Chunk, Image, NONE, SymbolKind};
use crate::prove::Statements;
use crate::text::source::{MAX_FILE, Sources, Span};
use scrimp_isa::machine::{Media, Stop};
use scrimp_isa::proof::Broken;
use scrimp_isa::{Machine, Simulation, Target};
use serde_json::json;
use std::path::PathBuf;

/// Cycles between looks at the clock; keeps the machine's own loop hot.
const SLICE: u64 = 1 << 24;

/// How a machine is started.
#[derive(Clone, Debug, Default)]
pub struct Power {
    /// A ROM image to use instead of scrimp's own firmware.
    pub rom: Option<PathBuf>,
    /// The JSON of a build, to watch that a machine file keeps what its source promises.
    pub map: Option<PathBuf>,
    /// Loads through the machine's own medium, as slow as it was.
    pub tape: bool,
}

/// A machine that runs a program.
pub struct Running {
    /// The machine's state.
    pub simulation: Box<dyn Simulation>,
    /// Which machine.
    pub machine: &'static dyn Machine,
    /// Its target.
    pub target: &'static dyn Target,
    /// The program's name.
    pub name: String,
    /// What it was assembled to; nothing for a machine file.
    pub image: Option<Image>,
    /// The texts that findings on a running program point into, if it was assembled.
    pub sources: Sources,
    /// Where the bytes of a machine file are from, if a map tells.
    map: Vec<Origin>,
    /// Bytes of the machine file.
    pub file_bytes: usize,
    /// What its `program.toml` says of what is typed.
    pub keys: Vec<String>,
    /// Warnings about the file that was loaded.
    pub warnings: Vec<Diagnostic>,
    routines: Vec<Routine>,
}

/// The code from one plain label to the next.
pub struct Routine {
    /// Name of the label.
    pub name: String,
    /// First address.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// Bytes that it owns.
    pub bytes: u64,
}

impl Running {
    /// Routines in order of address.
    pub fn routines(&self) -> &[Routine] {
        &self.routines
    }

    /// Index of the routine that holds an address.
    pub fn routine(&self, address: u64) -> Option<usize> {
        let next = self.routines.partition_point(|r| r.start <= address);
        let at = next.checked_sub(1)?;
        (address < self.routines[at].end).then_some(at)
    }

    /// A linear address in bytes, by number or by symbol.
    ///
    /// # Errors
    /// It is neither; a near name if there is one.
    pub fn address(&self, text: &str) -> Result<u64, String> {
        if let Some(image) = &self.image
            && let Some(symbol) = image.symbol(text)
        {
            // A label's value may count words, or from the start of its space.
            let value = u64::try_from(symbol.value).map_err(|_| format!("{text} is negative"));
            return symbol.address.map_or(value, Ok);
        }
        if let Some(n) = number(text) {
            return Ok(n);
        }
        let names = self
            .image
            .iter()
            .flat_map(|i| i.symbols.iter().map(|s| &*s.name));
        let near = crate::diagnostic::near::nearest(text, names);
        let hint = near.map_or(String::new(), |n| format!("; is {n} meant?"));
        Err(format!(
            "{text} is neither an address nor a symbol of the program{hint}"
        ))
    }

    /// The promises that the program did not keep.
    pub fn broken(&self) -> Vec<serde_json::Value> {
        let broken = self.simulation.broken();
        let statements = self.image.as_ref().map(Statements::new);
        let span = |address| statements.as_ref().and_then(|s| s.span_at(address));
        let one = |b: &Broken| {
            json!({
                "address": b.address,
                "place": self.place(b.address, span(b.address)),
                "message": b.message,
                "count": b.count,
                "clock": b.clock,
            })
        };
        broken.iter().map(one).collect()
    }

    /// Where the instruction at an address is from: its statement, else by the symbols.
    fn place(&self, address: u64, span: Option<Span>) -> String {
        match span {
            Some(span) => origin::place(&self.sources, span),
            None => promises::place(&self.map, address),
        }
    }

    /// Findings on the promises that the program did not keep.
    pub fn broken_promises(&self) -> Vec<Diagnostic> {
        let broken = self.simulation.broken();
        let statements = self.image.as_ref().map(Statements::new);
        let findings = broken.iter().map(|b| {
            let span = statements.as_ref().and_then(|s| s.span_at(b.address));
            let mut text = b.message.clone();
            if span.is_none() {
                text = format!("{}: {text}", self.place(b.address, None));
            }
            let times = match b.count {
                1 => format!("at clock {}", thousands(b.clock)),
                n => format!(
                    "{} times, first at clock {}",
                    thousands(n),
                    thousands(b.clock)
                ),
            };
            let mut d = Diagnostic::new(codes::CLOCK, text).note(times);
            d.span = span;
            d
        });
        findings.collect()
    }

    /// Runs for so many clock cycles; comes back early at a breakpoint or a halt.
    pub fn run_for(&mut self, cycles: u64) -> Stop {
        let end = self.simulation.cycles().saturating_add(cycles);
        loop {
            let now = self.simulation.cycles();
            if now >= end {
                return Stop::Cycles;
            }
            let stop = self.simulation.run((end - now).min(SLICE));
            if stop != Stop::Cycles {
                return stop;
            }
        }
    }

    /// Runs until the program comes to a label or address, for so many clock cycles at
    /// most; whether it did.
    ///
    /// # Errors
    /// There is no such label.
    pub fn run_until(&mut self, place: &str, most: u64) -> Result<bool, String> {
        let address = self.address(place)?;
        self.simulation.breakpoint(address, true);
        let stop = self.run_for(most);
        self.simulation.breakpoint(address, false);
        Ok(stop == Stop::Breakpoint(address))
    }

    /// Clock cycles in a second.
    pub fn clock(&self) -> u64 {
        let now = self.simulation.clock();
        now.unwrap_or(self.machine.clock())
    }

    /// Clock cycles in a fiftieth of a second.
    pub fn frame(&self) -> u64 {
        (self.clock() / 50).max(1)
    }
}

impl Session {
    /// Starts the machine with what was built.
    ///
    /// # Errors
    /// There is no machine, the build has errors, or the program does not fit.
    pub fn power_on(&self, build: &Build) -> Result<Running, Refusal> {
        self.power_on_with(build, &Power::default())
    }

    /// Likewise, in one of several ways.
    ///
    /// # Errors
    /// As [`power_on`](Self::power_on), and files that cannot be read.
    pub fn power_on_with(&self, build: &Build, power: &Power) -> Result<Running, Refusal> {
        let image = build.good()?;
        let target = build.whole.target;
        let machine = build
            .machine()
            .ok_or_else(|| format!("{} has no machine to run on", target.name()))?;
        let own = |f: &String| machine.containers().iter().any(|c| c.name == f.as_str());
        let for_none = build.whole.machine.is_none() && self.manifest.is_some();
        if for_none && !self.emit.is_empty() && !self.emit.iter().any(own) {
            return Err(Refusal::Failed(format!(
                "{} is for no machine: its program.toml names none, and a build writes {}; \
                 --machine says what it is to run on",
                self.name,
                self.emit.join(", ")
            )));
        }
        let mut media = Media::default();
        let mut warnings = Vec::new();
        if let Some(container) = machine.containers().first() {
            let file = build.write_beside(container.name, &[])?;
            if file.denied {
                return Err(Refusal::Broken(file.warnings));
            }
            warnings = file.warnings;
            media.program = file.made.bytes;
            media.container = container.name.to_owned();
        } else {
            // Room has no bytes to load.
            let chunks = image.chunks.iter().filter(|c| image.comes_with(c));
            media.memory = chunks.map(|c| (c.address, c.bytes.clone())).collect();
        }
        let mut keys = Vec::new();
        if let Some((_, text, manifest)) = &self.manifest {
            media.manifest.clone_from(text);
            keys.clone_from(&manifest.keys);
        }
        let mut running = start(machine, target, media, power)?;
        running.simulation.watch(&image.promises());
        running.name.clone_from(&self.name);
        running.routines = routines(image);
        running.image = Some(image.clone());
        running.sources = build.sources.clone();
        running.keys = keys;
        running.warnings = warnings;
        Ok(running)
    }
}

/// Starts a machine with a machine file.
///
/// # Errors
/// Files that cannot be read, or that the machine does not take.
pub fn power_on_binary(binary: Binary, power: &Power) -> Result<Running, Refusal> {
    let (promises, map) = match &power.map {
        Some(path) => promises::read(path, binary.target)?,
        None => Default::default(),
    };
    let media = Media {
        program: binary.bytes,
        container: binary.container,
        memory: binary.memory,
        ..Media::default()
    };
    let mut running = start(binary.machine, binary.target, media, power)?;
    running.simulation.watch(&promises);
    running.name = binary.name;
    running.map = map;
    Ok(running)
}

/// Powers a machine on.
fn start(
    machine: &'static dyn Machine,
    target: &'static dyn Target,
    mut media: Media,
    power: &Power,
) -> Result<Running, Refusal> {
    media.slow_load = power.tape;
    media.rom = match &power.rom {
        Some(path) => Some(disk::read_at_most(path, MAX_FILE)?),
        None => None,
    };
    let firmware = match machine.firmware() {
        Some(folder) if media.rom.is_none() => firmware(folder, target)?,
        _ => Vec::new(),
    };
    let simulation = machine.start(&media, &firmware).map_err(Refusal::Failed)?;
    let loaded: usize = media.memory.iter().map(|(_, bytes)| bytes.len()).sum();
    Ok(Running {
        simulation,
        machine,
        target,
        name: String::new(),
        routines: Vec::new(),
        image: None,
        sources: Sources::default(),
        map: Vec::new(),
        file_bytes: media.program.len() + loaded,
        keys: Vec::new(),
        warnings: Vec::new(),
    })
}

/// Assembles our own firmware.
fn firmware(folder: &str, target: &'static dyn Target) -> Result<Vec<u8>, Refusal> {
    let files = shipped::files(folder)
        .ok_or_else(|| format!("the firmware {folder} does not come with this scrimp"))?;
    let mut program = Session::embedded(folder, files, target)?;
    program.index = false;
    let build = program.assemble();
    match build.image() {
        Some(image) => Ok(image.binary(0xff)),
        None => Err(Refusal::Found(build.findings, build.sources)),
    }
}

fn routines(image: &Image) -> Vec<Routine> {
    let range = |c: &Chunk| (c.address, c.address + c.bytes.len() as u64);
    let chunks = Ranges::new(image.chunks.iter().map(range));
    let mut owned = vec![0u64; image.symbols.len()];
    for run in image.chunks.iter().flat_map(|c| &c.runs) {
        if run.owner != NONE {
            owned[run.owner as usize] += u64::from(run.len);
        }
    }
    let mut out: Vec<Routine> = Vec::new();
    for (symbol, &bytes) in image.symbols.iter().zip(&owned) {
        // Code is in the first space.
        let start = image.linear(symbol);
        let first = image.space_of(start).is_none_or(|s| s.base == 0);
        let chunk = chunks.holding(start).map(|c| &image.chunks[c]);
        if let Some(chunk) = chunk
            && symbol.kind == SymbolKind::Label
            && !symbol.local
            && first
            && bytes > 0
        {
            let last = chunk.address + chunk.bytes.len() as u64 - 1;
            out.push(Routine {
                name: symbol.name.to_string(),
                start: image.local(start),
                end: image.local(last) + 1,
                bytes,
            });
        }
    }
    out.sort_by_key(|r| r.start);
    for i in 1..out.len() {
        out[i - 1].end = out[i - 1].end.min(out[i].start);
    }
    out
}
