//! ELF of 32 bits, an executable: sections and program headers with the linear
//! addresses of the image, symbols with sizes, and DWARF line data.
//!
//! The first address space is `.text`. Room in memory that does not come with the
//! program is `.bss`; what runs there but is stored elsewhere is `.data`; each other
//! space has a section of its own name. GNU's tools, debuggers, simulators and
//! programmers know these names.

mod dwarf;
mod symbols;

use super::context::Context;
use super::view::{self, View};
use crate::image::ranges::Ranges;
use crate::image::{Chunk, Image};
use object::Endianness;
use object::elf;
use object::write::StringId;
use object::write::elf::{FileHeader, ProgramHeader, SectionHeader, SectionIndex, Sym, Writer};
use rustc_hash::FxHashMap;
use scrimp_isa::Space;
use scrimp_isa::container::{Contained, ContainerError};

/// Gaps of up to so many bytes are filled instead of starting another section.
const GAP: u64 = 256;
/// What fills them: erased program memory.
const FILL: u8 = 0xFF;

/// A section with memory behind it.
struct Memory {
    name: String,
    /// Where it is at run time.
    address: u64,
    /// Where it is stored.
    load: u64,
    /// Its bytes; none where it only has room.
    bytes: Vec<u8>,
    /// Its size.
    size: u64,
    code: bool,
    writable: bool,
}

impl Memory {
    fn stored(&self) -> bool {
        !self.bytes.is_empty()
    }
}

/// Writes it.
pub fn write(c: &Context<'_>) -> Result<Contained, ContainerError> {
    let Some(head) = c.target.elf(c.machine) else {
        return Err(ContainerError {
            message: format!("there are no ELF files for the target {}", c.target.name()),
            help: None,
            address: None,
            option: None,
        });
    };
    let memories = memories(c);
    let image_bytes = memories.iter().map(|m| m.bytes.len()).sum();
    let mut debug = dwarf::sections(c);
    let view = View::new(c.image, &[], c.name);
    let note = c.machine.and_then(|m| c.target.elf_note(m, c.clock, &view));
    debug.extend(note);
    let symbols = symbols::symbols(c);
    let bytes = assemble(c, (head.machine, head.flags), &memories, &debug, &symbols)?;
    let more = bytes.len().saturating_sub(image_bytes);
    Ok(Contained {
        bytes,
        image_bytes,
        added: vec![("for headers, symbols and debugging", more)],
        warnings: Vec::new(),
    })
}

/// The sections that stand for memory, by address.
fn memories(c: &Context<'_>) -> Vec<Memory> {
    let image = c.image;
    let mut out: Vec<Memory> = Vec::new();
    let whole = [Space {
        name: "memory",
        base: 0,
        size: c.target.address_space(),
        unit: 1,
        stored: true,
    }];
    let spaces = match image.spaces.is_empty() {
        true => &whole[..],
        false => &image.spaces,
    };
    for (i, space) in spaces.iter().enumerate() {
        let here = |a: u64| image.space_of(a).is_none_or(|s| s.base == space.base);
        let first = i == 0;
        let at_home = |k: &Chunk| here(k.load) && here(k.address);
        if space.stored {
            let name = if first { "text" } else { space.name };
            let pieces = joined(view::pieces_of(image, &at_home));
            for (number, (address, bytes)) in pieces.into_iter().enumerate() {
                out.push(Memory {
                    name: match number {
                        0 => format!(".{name}"),
                        n => format!(".{name}.{n}"),
                    },
                    address,
                    load: address,
                    size: bytes.len() as u64,
                    bytes,
                    code: first,
                    writable: !first,
                });
            }
            continue;
        }
        // Stored elsewhere, to be copied here by the program.
        out.append(&mut copied(image, &|k| here(k.address) && !here(k.load)));
        let room = || {
            image
                .chunks
                .iter()
                .filter(|k| at_home(k) && !k.bytes.is_empty())
        };
        let start = room().map(|k| k.address).min();
        let end = room().map(|k| k.address + k.bytes.len() as u64).max();
        if let (Some(start), Some(end)) = (start, end) {
            out.push(Memory {
                name: ".bss".into(),
                address: start,
                load: start,
                bytes: Vec::new(),
                size: end - start,
                code: false,
                writable: true,
            });
        }
    }
    out.sort_by_key(|m| m.address);
    out
}

/// Sections of what the program copies before it runs; what follows at once in both
/// places is one.
fn copied(image: &Image, of: &dyn Fn(&Chunk) -> bool) -> Vec<Memory> {
    let chunks = image.chunks.iter();
    let mut chunks: Vec<&Chunk> = chunks.filter(|k| of(k) && !k.bytes.is_empty()).collect();
    chunks.sort_by_key(|k| k.address);
    let mut out: Vec<Memory> = Vec::new();
    for k in chunks {
        let n = k.bytes.len() as u64;
        if let Some(d) = out.last_mut()
            && (d.address + d.size, d.load + d.size) == (k.address, k.load)
        {
            d.bytes.extend_from_slice(&k.bytes);
            d.size += n;
            continue;
        }
        out.push(Memory {
            name: match out.len() {
                0 => ".data".into(),
                n => format!(".data.{n}"),
            },
            address: k.address,
            load: k.load,
            size: n,
            bytes: k.bytes.clone(),
            code: false,
            writable: true,
        });
    }
    out
}

/// Pieces with small gaps filled.
fn joined(pieces: Vec<(u64, Vec<u8>)>) -> Vec<(u64, Vec<u8>)> {
    let mut out: Vec<(u64, Vec<u8>)> = Vec::new();
    for (start, bytes) in pieces {
        match out.last_mut() {
            Some((from, before)) if start - (*from + before.len() as u64) <= GAP => {
                before.resize((start - *from) as usize, FILL);
                before.extend_from_slice(&bytes);
            }
            _ => out.push((start, bytes)),
        }
    }
    out
}

/// A section of the file.
struct Section<'m> {
    name: &'m [u8],
    bytes: &'m [u8],
    /// What it stands for; nothing where only debuggers read it.
    memory: Option<&'m Memory>,
}

impl Section<'_> {
    /// Its header.
    fn header(&self, place: &Placed) -> SectionHeader {
        let flag = |on: bool, flag: u32| if on { flag } else { 0 };
        SectionHeader {
            name: Some(place.name),
            sh_type: match self.memory {
                Some(m) if !m.stored() => elf::SHT_NOBITS,
                _ => elf::SHT_PROGBITS,
            },
            sh_flags: u64::from(self.memory.map_or(0, |m| {
                elf::SHF_ALLOC | flag(m.code, elf::SHF_EXECINSTR) | flag(m.writable, elf::SHF_WRITE)
            })),
            sh_addr: self.memory.map_or(0, |m| m.address),
            sh_offset: place.offset as u64,
            sh_size: self.memory.map_or(self.bytes.len() as u64, |m| m.size),
            sh_link: 0,
            sh_info: 0,
            sh_addralign: 1,
            sh_entsize: 0,
        }
    }
}

/// What loads a memory from its place in the file.
fn program_header(m: &Memory, place: &Placed) -> ProgramHeader {
    ProgramHeader {
        p_type: elf::PT_LOAD,
        p_flags: match (m.code, m.writable) {
            (true, _) => elf::PF_R | elf::PF_X,
            (_, true) => elf::PF_R | elf::PF_W,
            _ => elf::PF_R,
        },
        p_offset: place.offset as u64,
        p_vaddr: m.address,
        p_paddr: m.load,
        p_filesz: m.bytes.len() as u64,
        p_memsz: m.size,
        p_align: 1,
    }
}

/// A section on its way into the file.
struct Placed {
    name: StringId,
    index: SectionIndex,
    offset: usize,
}

/// Takes room in the file, in the order in which it is written: places of the sections,
/// names of the symbols.
fn reserve<'m>(
    w: &mut Writer<'m>,
    sections: &[Section<'m>],
    symbols: &'m [symbols::Symbol],
) -> (Vec<Placed>, Vec<StringId>) {
    let memories = sections.iter().filter(|s| s.memory.is_some());
    w.reserve_file_header();
    w.reserve_program_headers(memories.count() as u32);
    w.reserve_null_section_index();
    let mut places = Vec::new();
    for s in sections {
        places.push(Placed {
            name: w.add_section_name(s.name),
            index: w.reserve_section_index(),
            offset: w.reserve(s.bytes.len(), 1),
        });
    }
    w.reserve_symtab_section_index();
    w.reserve_strtab_section_index();
    w.reserve_shstrtab_section_index();
    w.reserve_null_symbol_index();
    let mut names = Vec::new();
    for s in symbols {
        names.push(w.add_string(s.name.as_bytes()));
        w.reserve_symbol_index(None);
    }
    w.reserve_symtab();
    w.reserve_strtab();
    w.reserve_shstrtab();
    w.reserve_section_headers();
    (places, names)
}

fn assemble(
    c: &Context<'_>,
    (machine, flags): (u16, u32),
    memories: &[Memory],
    debug: &[(&'static str, Vec<u8>)],
    symbols: &[symbols::Symbol],
) -> Result<Vec<u8>, ContainerError> {
    let of_memories = memories.iter().map(|m| Section {
        name: m.name.as_bytes(),
        bytes: &m.bytes,
        memory: Some(m),
    });
    let of_debug = debug.iter().map(|(name, bytes)| Section {
        name: name.as_bytes(),
        bytes,
        memory: None,
    });
    let sections: Vec<Section> = of_memories.chain(of_debug).collect();
    let mut out = Vec::new();
    let mut w = Writer::new(Endianness::Little, false, &mut out);
    let (places, names) = reserve(&mut w, &sections, symbols);
    let lowest = memories.iter().find(|m| m.code).map_or(0, |m| m.address);
    let header = FileHeader {
        os_abi: elf::ELFOSABI_NONE,
        abi_version: 0,
        e_type: elf::ET_EXEC,
        e_machine: machine,
        e_entry: c.image.entry.unwrap_or(lowest),
        e_flags: flags,
    };
    w.write_file_header(&header).map_err(|e| ContainerError {
        message: format!("the ELF file cannot be written: {e}"),
        help: None,
        address: None,
        option: None,
    })?;
    w.write_align_program_headers();
    for (m, place) in memories.iter().zip(&places) {
        w.write_program_header(&program_header(m, place));
    }
    for s in &sections {
        w.write(s.bytes);
    }
    w.write_null_symbol();
    let homes = Homes::new(memories);
    for (s, name) in symbols.iter().zip(&names) {
        let home = homes.of(s).map(|i| places[i].index);
        w.write_symbol(&symbol(s, *name, home));
    }
    w.write_strtab();
    w.write_shstrtab();
    w.write_null_section_header();
    for (s, place) in sections.iter().zip(&places) {
        w.write_section_header(&s.header(place));
    }
    let locals = symbols.iter().filter(|s| s.local).count();
    w.write_symtab_section_header(locals as u32 + 1);
    w.write_strtab_section_header();
    w.write_shstrtab_section_header();
    Ok(out)
}

/// Which memory each symbol belongs to.
struct Homes {
    inside: Ranges,
    /// The first that ends at an address.
    ends: FxHashMap<u64, usize>,
}

impl Homes {
    fn new(memories: &[Memory]) -> Self {
        let range = |m: &Memory| (m.address, m.address + m.size);
        let mut ends = FxHashMap::default();
        for (i, m) in memories.iter().enumerate() {
            ends.entry(range(m).1).or_insert(i);
        }
        Self {
            inside: Ranges::new(memories.iter().map(range)),
            ends,
        }
    }

    /// The memory that it lies in, else the one that it ends.
    fn of(&self, s: &symbols::Symbol) -> Option<usize> {
        let found = self.inside.holding(s.value);
        let found = found.or_else(|| self.ends.get(&s.value).copied());
        found.filter(|_| s.address)
    }
}

/// A symbol's row: in its section, else with an absolute value.
fn symbol(s: &symbols::Symbol, name: StringId, section: Option<SectionIndex>) -> Sym {
    let binding = if s.local {
        elf::STB_LOCAL
    } else {
        elf::STB_GLOBAL
    };
    Sym {
        name: Some(name),
        section,
        st_info: binding << 4 | s.kind,
        st_other: elf::STV_DEFAULT,
        st_shndx: if section.is_none() { elf::SHN_ABS } else { 0 },
        st_value: s.value,
        st_size: s.size,
    }
}
