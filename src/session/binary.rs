//! Machine files, which are run as they are: those of a machine, by their extension, and
//! those that programmers take. None is ever read as a source.

use super::memory_file::{self, Memory};
use super::names::{find_target, machine_anywhere};
use super::options::Options;
use super::refusal::Refusal;
use crate::disk::{read_at_most as read, stem};
use crate::text::source::MAX_FILE;
use crate::{dialect, targets, write};
use scrimp_isa::container::Container;
use scrimp_isa::{Machine, Target};
use std::io::Read;
use std::path::Path;

/// A file in a machine's own format, or one that programmers take.
pub struct Binary {
    /// The file's name, without folder and extension.
    pub name: String,
    /// The file as it was named.
    pub shown: String,
    /// Its bytes, where the machine has a format of its own.
    pub bytes: Vec<u8>,
    /// Name of that format.
    pub container: String,
    /// What goes where, where the machine has no format of its own.
    pub memory: Memory,
    /// The machine that runs it.
    pub machine: &'static dyn Machine,
    /// Its target.
    pub target: &'static dyn Target,
    /// What to tell of a machine that nothing but the extension speaks for.
    pub assumed: Option<String>,
}

/// Extensions that stand for another: of files that not every loader takes.
const ALSO: [(&str, &str); 1] = [("gt1x", "gt1")];

/// The extension in lower case; nothing if there is none.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().and_then(|e| e.to_str());
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    match ALSO.iter().find(|a| a.0 == extension) {
        Some((_, usual)) => (*usual).to_owned(),
        None => extension,
    }
}

/// Machines that have a format of that name, of a target or of all, with the format.
pub fn containers(
    target: Option<&'static dyn Target>,
    name: &str,
) -> impl Iterator<
    Item = (
        &'static dyn Target,
        &'static dyn Machine,
        &'static Container,
    ),
> {
    let all = targets::all().iter().copied();
    let asked = all.filter(move |t| target.is_none_or(|only| only.name() == t.name()));
    let machines = asked.flat_map(|t| t.machines().iter().map(move |m| (t, *m)));
    let found = machines.filter_map(move |(t, m)| {
        let mut of = m.containers().iter();
        Some((t, m, of.find(|c| c.name == name)?))
    });
    found.collect::<Vec<_>>().into_iter()
}

/// The target whose number an ELF file has.
///
/// # Errors
/// It is of a CPU that there is not.
pub fn target_of_elf(bytes: &[u8]) -> Result<&'static dyn Target, String> {
    let number = memory_file::elf_machine(bytes)?;
    let mut all = targets::all().iter().copied();
    all.find(|t| t.elf(None).is_some_and(|e| e.machine == number))
        .ok_or_else(|| format!("it is for the CPU {number} of ELF, which scrimp does not have"))
}

/// A machine file; nothing if it may be a source.
///
/// # Errors
/// It cannot be read, or nothing takes it.
pub fn find(path: &Path, args: &Options) -> Result<Option<Binary>, Refusal> {
    let extension = extension(path);
    if memory_file::EXTENSIONS.contains(&extension.as_str()) || is_elf(path) {
        return memory(path, args);
    }
    if containers(None, &extension).next().is_none() {
        return not_a_source(path, &extension, args);
    }
    let shown = path.display();
    let (target, machines): (_, Vec<_>) = match (&args.machine, &args.target) {
        (Some(name), target) => {
            let (target, machine) = machine_anywhere(target.as_deref(), name)?;
            let takes = machine.containers().iter().any(|c| c.name == extension);
            (Some(target), if takes { vec![machine] } else { Vec::new() })
        }
        (None, target) => {
            let target = target.as_deref().map(find_target).transpose()?;
            let mut found: Vec<_> = containers(target, &extension).collect();
            // Who reads the instructions in it first.
            found.sort_by_key(|f| f.2.read.is_none());
            let its = found.first().map(|f| f.0);
            (its.or(target), found.into_iter().map(|f| f.1).collect())
        }
    };
    let (Some(target), Some(&last)) = (target, machines.last()) else {
        let who = args.machine.as_deref().or(args.target.as_deref());
        let whose: Vec<_> = containers(None, &extension).map(|c| c.1.name()).collect();
        return Err(Refusal::Failed(format!(
            "{} does not take {shown}: .{extension} is a format of {}",
            who.unwrap_or_default(),
            whose.join(", ")
        )));
    };
    let bytes = read(path, MAX_FILE)?;
    // The smallest machine that has room.
    let room = |m: &&dyn Machine| m.regions().iter().map(|r| r.size).max().unwrap_or(0);
    let mut all = machines.iter().copied();
    let fits = all.find(|m| bytes.len() as u64 <= room(m));
    let named = args.machine.is_some() || args.target.is_some();
    let chosen = fits.unwrap_or(last);
    if !named && let Some(owner) = owner_of_rom(&bytes) {
        return Err(Refusal::Failed(format!(
            "{shown} is the ROM of {owner}, no program: `--rom {shown}` runs a program with it, \
             `--machine {}` takes it as a .{extension} of that machine",
            chosen.name()
        )));
    }
    // Plain memory says nothing about its CPU, unless it fills the machine's.
    let mut formats = chosen.containers().iter();
    let plain = formats.any(|c| c.name == extension && c.memory == Some(0));
    let assumed = !named && plain && bytes.len() as u64 != room(&chosen);
    let assumed = assumed.then(|| {
        format!(
            "{shown} is taken as memory of {}, by .{extension}; --machine names another\n",
            chosen.name()
        )
    });
    Ok(Some(Binary {
        name: stem(path),
        shown: shown.to_string(),
        bytes,
        container: extension,
        memory: Memory::new(),
        machine: chosen,
        target,
        assumed,
    }))
}

/// The machine whose own ROM those bytes are.
fn owner_of_rom(bytes: &[u8]) -> Option<&'static str> {
    let machines = targets::all().iter().flat_map(|t| t.machines());
    let mut owners = machines.filter(|m| m.is_own_rom(bytes));
    owners.next().map(|m| m.name())
}

/// Whether a file begins as ELF files do, whatever it is called.
fn is_elf(path: &Path) -> bool {
    let mut start = [0; 4];
    path.is_file()
        && std::fs::File::open(path).is_ok_and(|mut f| f.read_exact(&mut start).is_ok())
        && start == *b"\x7fELF"
}

/// Refuses what a build writes and nobody can read as a source.
fn not_a_source(path: &Path, extension: &str, args: &Options) -> Result<Option<Binary>, Refusal> {
    // A listing is the source of dialects that read one.
    let language = args.dialect.as_deref().and_then(dialect::by_name);
    let listed =
        language.is_some_and(|l| l.names.labels == crate::text::language::LabelRule::Listed);
    let written = write::WRITERS.iter().any(|w| w.name == extension);
    if !written || listed {
        return Ok(None);
    }
    Err(Refusal::Failed(format!(
        "{} is a file that builds write, neither a source nor a program to run",
        path.display()
    )))
}

/// A file of memory for a machine that is named.
fn memory(path: &Path, args: &Options) -> Result<Option<Binary>, Refusal> {
    let Some(wanted) = &args.machine else {
        return Err(Refusal::Failed(format!(
            "{} does not say what it runs on; name the machine with --machine",
            path.display()
        )));
    };
    let (target, machine) = machine_anywhere(args.target.as_deref(), wanted)?;
    if let Some(own) = machine.containers().first() {
        return Err(Refusal::Failed(format!(
            "{wanted} takes .{} files, not {}",
            own.name,
            path.display()
        )));
    }
    let bytes = read(path, MAX_FILE)?;
    let refuse = |why: String| format!("cannot load {}: {why}", path.display());
    if memory_file::is_elf(path, &bytes) {
        let its = target_of_elf(&bytes).map_err(refuse)?;
        if its.name() != target.name() {
            return Err(Refusal::Failed(refuse(format!(
                "it is for {}, {wanted} is a machine of {}",
                its.name(),
                target.name()
            ))));
        }
    }
    let mut regions = machine.regions().iter();
    let eeprom = regions.find(|r| r.name == "eeprom").map(|r| r.start);
    let memory = memory_file::read(path, &bytes, eeprom).map_err(refuse)?;
    Ok(Some(Binary {
        name: stem(path),
        shown: path.display().to_string(),
        bytes: Vec::new(),
        container: String::new(),
        memory,
        machine,
        target,
        assumed: None,
    }))
}
