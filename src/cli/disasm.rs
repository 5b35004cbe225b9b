//! `scrimp disasm`: bytes as source that assembles to the same bytes.

use super::args::DisasmArgs;
use super::failure::Failure;
use super::{program, terminal::Terminal};
use crate::read::job::Job;
use crate::session::explained::assemble;
use crate::session::{binary, memory_file, names};
use crate::text::source::MemoryLoader;
use crate::{dialect, targets};
use scrimp_isa::container::Reader;
use scrimp_isa::{Decoded, Machine, Target};
use std::fmt::Write;

/// Longest file, in bytes: no target has more address space than is asked for here.
const MOST: usize = 1 << 24;

/// Most bytes of code: no device has as many, and each is assembled again.
const MOST_CODE: usize = 512 << 10;

/// Lines that are verified and printed at once.
const PART: usize = 20_000;

/// A line of output: the bytes and what they are.
struct Line {
    address: u64,
    /// A piece begins with it.
    first: bool,
    bytes: Vec<u8>,
    text: Option<String>,
}

/// Whose instructions they are.
#[derive(Clone, Copy)]
struct Cpu {
    target: &'static dyn Target,
    machine: Option<&'static dyn Machine>,
}

impl Cpu {
    /// No device of a target in particular.
    fn of(target: &'static dyn Target) -> Self {
        let machine = None;
        Self { target, machine }
    }
}

/// Prints the instructions in a file.
pub fn disasm(args: &DisasmArgs, terminal: &Terminal) -> Result<(), Failure> {
    let bytes = program::read(&args.file, MOST as u64)?;
    let (cpu, assumed) = cpu(args, &bytes)?;
    let unit = unit(cpu.target);
    let spaces = cpu.target.spaces();
    let code = spaces
        .first()
        .map_or(cpu.target.address_space(), |s| s.size);
    let (cpu, head, pieces) = match reader(args, cpu) {
        Some(read) => contents(args, cpu, &bytes, read)?,
        None => (cpu, String::new(), pieces(args, cpu, bytes, unit, code)?),
    };
    if assumed {
        terminal.say(&format!(
            "{} does not say whose instructions it has: decoded as {}; --target names another\n",
            args.file.display(),
            cpu.target.name()
        ));
    }
    let (mut program, mut beyond) = (Vec::new(), 0);
    for (origin, bytes) in memory_file::merged(pieces) {
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
        program.extend(at_regions(cpu, origin, bytes));
    }
    let bytes: usize = program.iter().map(|p| p.1.len()).sum();
    if bytes > MOST_CODE {
        return Err(Failure::Failed(format!(
            "{bytes} bytes are more than any device has; {MOST_CODE} at most are decoded"
        )));
    }
    if beyond > 0 {
        terminal.say(&format!(
            "{beyond} bytes outside of program memory are left out\n"
        ));
    }
    let mut lines = program.iter().flat_map(|(origin, bytes)| Decoder {
        cpu,
        address: *origin,
        rest: bytes,
        first: true,
    });
    terminal.print(&head)?;
    let mut next = None;
    loop {
        let mut part: Vec<Line> = lines.by_ref().take(PART).collect();
        if part.is_empty() {
            return Ok(());
        }
        verify(cpu, &mut part);
        terminal.print(&source(unit, &part, &mut next, !args.plain).0)?;
    }
}

/// What reads the file, where it is of a format that the machine's programs have.
fn reader(args: &DisasmArgs, cpu: Cpu) -> Option<Reader> {
    let extension = binary::extension(&args.file);
    let mut own = binary::containers(Some(cpu.target), &extension);
    own.find_map(|(_, _, c)| c.read)
}

/// What is in such a file: the machine that has room for it, lines for what a source says
/// to make the same file, and the bytes.
fn contents(
    args: &DisasmArgs,
    cpu: Cpu,
    bytes: &[u8],
    read: Reader,
) -> Result<(Cpu, String, memory_file::Memory), Failure> {
    let shown = args.file.display();
    if let Some(org) = &args.org {
        let why = format!("--org {org}: {shown} has addresses of its own");
        return Err(Failure::Failed(why));
    }
    let contents = read(bytes).map_err(|why| format!("cannot load {shown}: {why}"))?;
    let has = |m: &&'static dyn Machine, at: u64| {
        let mut regions = m.regions().iter();
        regions.any(|r| (r.start..r.start + r.size).contains(&at))
    };
    let fits = |m: &&'static dyn Machine| {
        let mut pieces = contents.pieces.iter();
        pieces.all(|p| has(m, p.0) && has(m, p.0 + p.1.len().max(1) as u64 - 1))
    };
    let mut machines = cpu.target.machines().iter().copied();
    let machine = cpu.machine.or_else(|| machines.find(fits));
    let mut head = String::new();
    if let Some(m) = machine {
        let _ = writeln!(head, "        machine {}", m.name());
    }
    for (name, value) in &contents.names {
        let _ = writeln!(head, "{name:<7} equ ${value:04X}");
    }
    let target = cpu.target;
    Ok((Cpu { target, machine }, head, contents.pieces))
}

/// A piece in parts that lie in one region of the machine each, since what an `org` begins
/// does.
fn at_regions(cpu: Cpu, origin: u64, bytes: Vec<u8>) -> Vec<(u64, Vec<u8>)> {
    let mut parts = vec![(origin, bytes)];
    let regions = cpu.machine.map_or(&[][..], |m| m.regions());
    let mut starts: Vec<u64> = regions.iter().map(|r| r.start).collect();
    starts.sort_unstable();
    for start in starts {
        let Some((from, last)) = parts.last_mut() else {
            break;
        };
        if *from < start && start < *from + last.len() as u64 {
            let behind = last.split_off((start - *from) as usize);
            parts.push((start, behind));
        }
    }
    parts
}

/// Whose instructions are in a file, as said or as its format has it, and whether that is
/// assumed only.
fn cpu(args: &DisasmArgs, bytes: &[u8]) -> Result<(Cpu, bool), Failure> {
    let said = match (&args.machine, &args.target) {
        (Some(name), target) => {
            let (target, machine) = names::machine_anywhere(target.as_deref(), name)?;
            let machine = Some(machine);
            Some(Cpu { target, machine })
        }
        (None, Some(name)) => {
            let target = names::find_target(name)?;
            let machine = None;
            Some(Cpu { target, machine })
        }
        (None, None) => None,
    };
    let shown = args.file.display();
    let extension = binary::extension(&args.file);
    if memory_file::is_elf(&args.file, bytes) {
        let target =
            binary::target_of_elf(bytes).map_err(|why| format!("cannot load {shown}: {why}"))?;
        return match said {
            Some(cpu) if cpu.target.name() != target.name() => Err(Failure::Failed(format!(
                "{shown} is for {}, not for {}",
                target.name(),
                cpu.target.name()
            ))),
            Some(cpu) => Ok((cpu, false)),
            None => Ok((Cpu::of(target), false)),
        };
    }
    if let Some(cpu) = said {
        return Ok((cpu, false));
    }
    let mut owners = targets::all().iter();
    let own = |t: &&&'static dyn Target| t.machines().iter().any(|m| m.is_own_rom(bytes));
    if let Some(target) = owners.find(own) {
        return Ok((Cpu::of(*target), false));
    }
    let mut readers = binary::containers(None, &extension);
    if let Some((target, _, _)) = readers.find(|c| c.2.read.is_some()) {
        return Ok((Cpu::of(target), false));
    }
    if let Some((target, _, container)) = binary::containers(None, &extension).next() {
        return Ok((Cpu::of(target), container.memory == Some(0)));
    }
    // Programmers take HEX files, for the chips that have no format of their own.
    let chips = |t: &&&'static dyn Target| {
        let first = t.machine_names().first().and_then(|n| t.machine(n));
        first.is_some_and(|m| m.containers().is_empty())
    };
    let target = match PLACED.contains(&extension.as_str()) {
        true => targets::all().iter().find(chips).copied(),
        false => None,
    };
    Ok((Cpu::of(target.unwrap_or(targets::default())), true))
}

/// Extensions of files that have addresses.
const PLACED: [&str; 4] = ["hex", "ihex", "mhex", "eep"];

/// The bytes of a file and where they stand: an Intel HEX or ELF file says so itself, and
/// some machines' own formats begin at one place.
fn pieces(
    args: &DisasmArgs,
    cpu: Cpu,
    bytes: Vec<u8>,
    unit: u64,
    code: u64,
) -> Result<memory_file::Memory, Failure> {
    let extension = binary::extension(&args.file);
    let shown = args.file.display();
    if extension == "eep" || extension == "srec" {
        let why = match extension == "eep" {
            true => "an EEPROM holds no instructions",
            false => "S records are not read; `--emit hex` writes what is",
        };
        return Err(Failure::Failed(format!("{shown}: {why}")));
    }
    let own = binary::containers(Some(cpu.target), &extension).next();
    if own.is_some_and(|(_, _, c)| c.memory.is_none()) {
        return Err(Failure::Failed(format!(
            "{shown}: a .{extension} file is not memory as the CPU sees it"
        )));
    }
    if PLACED.contains(&extension.as_str()) || memory_file::is_elf(&args.file, &bytes) {
        if let Some(org) = &args.org {
            return Err(Failure::Failed(format!(
                "--org {org}: {} has addresses of its own",
                args.file.display()
            )));
        }
        return memory_file::read(&args.file, &bytes, None)
            .map_err(|why| Failure::Failed(format!("cannot load {}: {why}", args.file.display())));
    }
    let memory = own.and_then(|(_, _, c)| c.memory).unwrap_or(0) / unit;
    let own = format!("{memory}");
    let org = args.org.as_deref().unwrap_or(&own);
    let origin = names::number(org)
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

/// Bytes on their way to instructions.
struct Decoder<'b> {
    cpu: Cpu,
    address: u64,
    rest: &'b [u8],
    /// Nothing of the piece was decoded yet.
    first: bool,
}

impl Iterator for Decoder<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        if self.rest.is_empty() {
            return None;
        }
        let (cpu, address) = (self.cpu, self.address);
        let found = cpu.target.decode_on(self.rest, address, cpu.machine);
        // Nothing runs over the end of a page that the program counter does not leave.
        let page = cpu.target.wraps_in_page().unwrap_or(u64::MAX);
        let ends = |d: &Decoded| (address + u64::from(d.len) - 1) / page == address / page;
        let found = found.filter(ends);
        let len = found
            .as_ref()
            .map_or(1, |d| usize::from(d.len))
            .clamp(1, self.rest.len());
        let (bytes, rest) = self.rest.split_at(len);
        (self.address, self.rest) = (address + len as u64, rest);
        let first = std::mem::take(&mut self.first);
        Some(Line {
            address,
            first,
            bytes: bytes.to_vec(),
            text: found.map(|d| d.text),
        })
    }
}

/// Assembles every text where it stands; what does not give its bytes back (another
/// encoding of the same instruction) becomes data.
fn verify(cpu: Cpu, lines: &mut [Line]) {
    for _ in 0..2 {
        let (text, rows) = source(unit(cpu.target), lines, &mut None, false);
        let job = Job {
            file: "disasm".into(),
            target: cpu.target,
            machine: cpu.machine,
            dialect: dialect::names()[0].into(),
            defines: Vec::new(),
        };
        let out = assemble(&job, &MemoryLoader::default().with("disasm", text));
        let mut made: Vec<Vec<u8>> = vec![Vec::new(); lines.len()];
        let line_of = |span: crate::text::source::Span| {
            let row = out.sources.get(span.source).line_column(span.start).0;
            rows.binary_search(&row).ok()
        };
        if let Some(image) = &out.image {
            for chunk in &image.chunks {
                for run in &chunk.runs {
                    let at = run.offset as usize;
                    if let Some(l) = line_of(run.span) {
                        made[l].extend(&chunk.bytes[at..at + run.len as usize]);
                    }
                }
            }
        } else {
            for (line, made) in lines.iter().zip(&mut made) {
                made.clone_from(&line.bytes);
            }
            for span in out.diagnostics.iter().filter_map(|d| d.span) {
                if let Some(l) = line_of(span) {
                    made[l].clear();
                }
            }
        }
        let mut good = true;
        for (line, made) in lines.iter_mut().zip(made) {
            if line.bytes != made {
                line.text = None;
                good = false;
            }
        }
        if good {
            return;
        }
    }
}

/// The lines as source, and the row (from 1) of each. `next` is the address behind what
/// stands before them.
fn source(
    unit: u64,
    lines: &[Line],
    next: &mut Option<u64>,
    comments: bool,
) -> (String, Vec<usize>) {
    let (mut out, mut rows, mut row) = (String::new(), Vec::with_capacity(lines.len()), 0);
    for line in lines {
        if line.first || *next != Some(line.address) {
            let _ = writeln!(out, "        org ${:04X}", line.address / unit);
            row += 1;
        }
        *next = Some(line.address + line.bytes.len() as u64);
        row += 1;
        rows.push(row);
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
    (out, rows)
}
