//! `scrimp disasm`: bytes as source that assembles to the same bytes.

use super::Failure;
use super::args::DisasmArgs;
use super::{job, memory_file, program, terminal::Terminal};
use crate::assemble::assemble;
use crate::job::Job;
use crate::source::MemoryLoader;
use crate::{dialect, targets};
use scrimp_isa::{Machine, Target};
use std::fmt::Write;

/// Longest file, in bytes: no target has more address space than is asked for here.
const MOST: usize = 1 << 24;

/// A line of output: the bytes and what they are.
struct Line {
    address: u64,
    bytes: Vec<u8>,
    text: Option<String>,
}

/// Whose instructions they are.
#[derive(Clone, Copy)]
struct Cpu {
    target: &'static dyn Target,
    machine: Option<&'static dyn Machine>,
}

/// Prints the instructions in a file.
pub fn disasm(args: &DisasmArgs, terminal: &Terminal) -> Result<(), Failure> {
    let cpu = match (&args.machine, &args.target) {
        (Some(name), target) => {
            let (target, machine) = program::machine_anywhere(target.as_deref(), name)?;
            let machine = Some(machine);
            Cpu { target, machine }
        }
        (None, Some(name)) => {
            let target = program::find_target(name)?;
            let machine = None;
            Cpu { target, machine }
        }
        (None, None) => {
            let (target, machine) = (targets::default(), None);
            Cpu { target, machine }
        }
    };
    let unit = unit(cpu.target);
    let spaces = cpu.target.spaces();
    let code = spaces
        .first()
        .map_or(cpu.target.address_space(), |s| s.size);
    let bytes = program::read(&args.file, MOST as u64)?;
    let pieces = pieces(args, bytes, unit, code)?;
    let mut out = String::new();
    let mut beyond = 0;
    for (origin, bytes) in pieces {
        if origin >= code && !spaces.is_empty() {
            // Data memory and EEPROM hold no instructions.
            beyond += bytes.len();
            continue;
        }
        if bytes.len() as u64 > code - origin {
            return Err(Failure::Failed(format!(
                "{} bytes do not fit between {origin:04X} and {:04X}",
                bytes.len(),
                code - 1
            )));
        }
        let mut lines = decode(cpu, origin, &bytes);
        verify(cpu, origin, &mut lines);
        out += &source(unit, origin, &lines, !args.plain);
    }
    if beyond > 0 {
        terminal.say(&format!(
            "{beyond} bytes outside of program memory are left out\n"
        ));
    }
    terminal.print(&out)
}

/// The bytes of a file and where they stand: an Intel HEX or ELF file says so itself.
fn pieces(
    args: &DisasmArgs,
    bytes: Vec<u8>,
    unit: u64,
    code: u64,
) -> Result<memory_file::Memory, Failure> {
    let extension = args.file.extension().and_then(|e| e.to_str());
    let placed = extension
        .is_some_and(|e| ["hex", "ihex", "elf"].contains(&e.to_ascii_lowercase().as_str()));
    if placed {
        if let Some(org) = &args.org {
            return Err(Failure::Failed(format!(
                "--org {org}: {} has addresses of its own",
                args.file.display()
            )));
        }
        return memory_file::read(&args.file, &bytes, None)
            .map_err(|why| Failure::Failed(format!("cannot load {}: {why}", args.file.display())));
    }
    let org = args.org.as_deref().unwrap_or("0");
    let origin = job::number(org)
        .and_then(|a| a.checked_mul(unit))
        .filter(|&a| a < code)
        .ok_or_else(|| format!("--org {org}: this is no address"))?;
    Ok(vec![(origin, bytes)])
}

/// Bytes that an address of code counts.
fn unit(target: &dyn Target) -> u64 {
    let first = target.spaces().first();
    let words = first.filter(|_| target.word_addresses());
    words.map_or(1, |s| u64::from(s.unit))
}

fn decode(cpu: Cpu, origin: u64, bytes: &[u8]) -> Vec<Line> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let address = origin + at as u64;
        let found = cpu.target.decode_on(&bytes[at..], address, cpu.machine);
        let len = found
            .as_ref()
            .map_or(1, |d| usize::from(d.len))
            .clamp(1, bytes.len() - at);
        out.push(Line {
            address,
            bytes: bytes[at..at + len].to_vec(),
            text: found.map(|d| d.text),
        });
        at += len;
    }
    out
}

/// Assembles every text where it stands; what does not give its bytes back (another
/// encoding of the same instruction) becomes data.
fn verify(cpu: Cpu, origin: u64, lines: &mut [Line]) {
    for _ in 0..2 {
        let text = source(unit(cpu.target), origin, lines, false);
        let job = Job {
            file: "disasm".into(),
            target: cpu.target,
            machine: cpu.machine,
            dialect: dialect::names()[0].into(),
            defines: Vec::new(),
        };
        let out = assemble(&job, &MemoryLoader::default().with("disasm", text));
        // One statement a line, after the `org`.
        let mut made: Vec<Vec<u8>> = vec![Vec::new(); lines.len()];
        let line_of = |span: crate::source::Span| {
            out.sources
                .get(span.source)
                .line_column(span.start)
                .0
                .checked_sub(2)
        };
        if let Some(image) = &out.image {
            for chunk in &image.chunks {
                for run in &chunk.runs {
                    let at = run.offset as usize;
                    if let Some(l) = line_of(run.span).and_then(|l| made.get_mut(l)) {
                        l.extend(&chunk.bytes[at..at + run.len as usize]);
                    }
                }
            }
        } else {
            for (line, made) in lines.iter().zip(&mut made) {
                made.clone_from(&line.bytes);
            }
            for span in out.diagnostics.iter().filter_map(|d| d.span) {
                if let Some(l) = line_of(span).and_then(|l| made.get_mut(l)) {
                    l.clear();
                }
            }
        }
        for (line, made) in lines.iter_mut().zip(made) {
            if line.bytes != made {
                line.text = None;
            }
        }
    }
}

fn source(unit: u64, origin: u64, lines: &[Line], comments: bool) -> String {
    let mut out = format!("        org ${:04X}\n", origin / unit);
    for line in lines {
        let hex: Vec<String> = line.bytes.iter().map(|b| format!("{b:02X}")).collect();
        let text = match &line.text {
            Some(text) => text.clone(),
            None => format!("db ${}", hex.join(",$")),
        };
        let _ = if comments {
            writeln!(
                out,
                "        {text:<24}; {:04X}  {}",
                line.address / unit,
                hex.join(" ")
            )
        } else {
            writeln!(out, "        {text}")
        };
    }
    out
}
