//! A machine under power: the program assembled and loaded, our own firmware
//! assembled and put in the place of the ROM.

use super::Failure;
use super::args::MachineArgs;
use super::job;
use super::program::{self, Found, Program};
use super::promises::{self, Origin};
use super::shipped;
use super::terminal::Terminal;
use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::origin;
use crate::image::ranges::Ranges;
use crate::image::{Chunk, Image, NONE, SymbolKind};
use crate::prove::Statements;
use crate::text::source::{MAX_FILE, Sources, Span};
use scrimp_isa::machine::Media;
use scrimp_isa::proof::Broken;
use scrimp_isa::{Machine, Simulation, Target};
use serde_json::json;

/// A machine that runs a program.
pub struct Running {
    pub simulation: Box<dyn Simulation>,
    pub machine: &'static dyn Machine,
    pub target: &'static dyn Target,
    /// The program's name.
    pub name: String,
    /// What it was assembled to; nothing for a machine file.
    pub image: Option<Image>,
    /// Its sources.
    pub sources: Sources,
    /// Where the bytes of a machine file are from, if a map tells.
    map: Vec<Origin>,
    /// Bytes of the machine file.
    pub file_bytes: usize,
    /// What its `program.toml` says of what is typed.
    pub keys: Vec<String>,
    routines: Vec<Routine>,
}

/// The code from one plain label to the next.
pub struct Routine {
    pub name: String,
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

    /// An address by number or by symbol.
    pub fn address(&self, text: &str) -> Result<u64, String> {
        if let Some(image) = &self.image
            && let Some(symbol) = image.symbol(text)
        {
            return u64::try_from(symbol.value).map_err(|_| format!("{text} is negative"));
        }
        if let Some(n) = job::number(text) {
            return Ok(n);
        }
        let names = self
            .image
            .iter()
            .flat_map(|i| i.symbols.iter().map(|s| s.name.as_str()));
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

    /// Prints the promises that the program did not keep; fails if there are any.
    pub fn keep_promises(&self, terminal: &Terminal) -> Result<(), Failure> {
        let broken = self.simulation.broken();
        if broken.is_empty() {
            return Ok(());
        }
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
        terminal.findings(&findings.collect::<Vec<_>>(), &self.sources);
        Err(Failure::Findings)
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

/// Assembles or reads a program and starts its machine.
pub fn power_on(args: &MachineArgs, terminal: &Terminal) -> Result<Running, Failure> {
    let mut media = Media {
        slow_load: args.tape,
        ..Media::default()
    };
    let mut keys = Vec::new();
    let (machine, target, name, image, sources) = match program::find(&args.program, terminal)? {
        Found::Program(mut program) => {
            let built = job::build(&mut program, terminal)?;
            let target = program.target;
            let machine = built
                .machine(&program)
                .ok_or_else(|| format!("{} has no machine to run on", target.name()))?;
            if let Some(container) = machine.containers().first() {
                media.program = built.write(&program, container.name, &[], terminal)?.bytes;
                media.container = container.name.to_owned();
            } else {
                // Room has no bytes to load.
                let image = &built.image;
                let chunks = image.chunks.iter().filter(|c| image.comes_with(c));
                media.memory = chunks.map(|c| (c.address, c.bytes.clone())).collect();
            }
            if let Some((_, text, manifest)) = &program.manifest {
                media.manifest.clone_from(text);
                keys.clone_from(&manifest.keys);
            }
            (
                machine,
                target,
                program.name,
                Some(built.image),
                built.sources,
            )
        }
        Found::Binary(b) => {
            if let Some(text) = &b.assumed {
                terminal.say(text);
            }
            media.program = b.bytes;
            media.container = b.container;
            media.memory = b.memory;
            (b.machine, b.target, b.name, None, Sources::default())
        }
    };
    media.rom = match &args.rom {
        Some(path) => Some(program::read(path, MAX_FILE)?),
        None => None,
    };
    let firmware = match machine.firmware() {
        Some(folder) if media.rom.is_none() => assemble(folder, target, terminal)?,
        _ => Vec::new(),
    };
    let mut simulation = machine.start(&media, &firmware).map_err(Failure::Failed)?;
    let (promises, map) = match (&image, &args.map) {
        (Some(image), _) => (image.promises(), Vec::new()),
        (None, Some(path)) => promises::read(path, target)?,
        (None, None) => Default::default(),
    };
    simulation.watch(&promises);
    let loaded: usize = media.memory.iter().map(|(_, bytes)| bytes.len()).sum();
    Ok(Running {
        simulation,
        machine,
        target,
        name,
        routines: image.as_ref().map(routines).unwrap_or_default(),
        image,
        sources,
        map,
        file_bytes: media.program.len() + loaded,
        keys,
    })
}

/// Assembles our own firmware.
fn assemble(
    folder: &str,
    target: &'static dyn Target,
    terminal: &Terminal,
) -> Result<Vec<u8>, Failure> {
    let files = shipped::files(folder)
        .ok_or_else(|| format!("the firmware {folder} does not come with this scrimp"))?;
    let mut program = Program::embedded(folder, files, target, terminal)?;
    let built = job::build(&mut program, terminal)?;
    Ok(built.image.binary(0xff))
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
                name: symbol.name.clone(),
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
