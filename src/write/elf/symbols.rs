//! The symbol table: labels with what belongs to them, and constants that are used.

use super::super::context::Context;
use crate::image::origin::file_name;
use crate::image::{Class, NONE, SymbolKind};
use object::elf;

/// A symbol of the file.
pub struct Symbol {
    pub name: String,
    /// Linear address, or value of a constant.
    pub value: u64,
    pub size: u64,
    /// `STT_FUNC` and its like.
    pub kind: u8,
    pub local: bool,
    /// It is an address.
    pub address: bool,
}

/// What belongs to a plain label.
#[derive(Clone, Copy)]
pub struct Extent {
    /// First address.
    pub start: u64,
    /// One past the last.
    pub end: u64,
    /// It starts with an instruction.
    pub code: bool,
}

/// What belongs to each symbol that has bytes: from the label to the end of the
/// bytes that follow at once.
pub fn extents(c: &Context<'_>) -> Vec<Option<Extent>> {
    let mut out: Vec<Option<Extent>> = vec![None; c.image.symbols.len()];
    for k in &c.image.chunks {
        for r in &k.runs {
            let Some(slot) = out.get_mut(r.owner as usize).filter(|_| r.owner != NONE) else {
                continue;
            };
            let start = k.address + u64::from(r.offset);
            let end = start + u64::from(r.len);
            match slot {
                None => {
                    *slot = Some(Extent {
                        start,
                        end,
                        code: r.class == Class::Code,
                    });
                }
                Some(e) if e.end == start => e.end = end,
                Some(_) => {}
            }
        }
    }
    out
}

/// Locals first, as the format wants it; then by address and name.
pub fn symbols(c: &Context<'_>) -> Vec<Symbol> {
    let extents = extents(c);
    let mut out = Vec::new();
    for (s, extent) in c.image.symbols.iter().zip(extents) {
        // `1:` is defined again and again; no tool wants it.
        if s.local && s.name.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let name = s.name.replace('\0', "_");
        let plain = Symbol {
            name,
            value: 0,
            size: 0,
            kind: elf::STT_NOTYPE,
            local: s.local || s.kind != SymbolKind::Label,
            address: false,
        };
        match (s.kind, s.address) {
            (SymbolKind::Label, Some(address)) => {
                let own = extent.filter(|e| e.start == address && !s.local);
                out.push(Symbol {
                    value: address,
                    size: own.map_or(0, |e| e.end - e.start),
                    kind: match own {
                        Some(e) if e.code => elf::STT_FUNC,
                        Some(_) => elf::STT_OBJECT,
                        None => elf::STT_NOTYPE,
                    },
                    address: true,
                    ..plain
                });
            }
            // Include files define hundreds that nobody uses.
            _ if !s.used => {}
            _ => {
                let fits = i32::try_from(s.value).map(|v| v as u32);
                let fits = fits.or_else(|_| u32::try_from(s.value));
                if let Ok(value) = fits {
                    out.push(Symbol {
                        value: u64::from(value),
                        ..plain
                    });
                }
            }
        }
    }
    out.sort_by(|a, b| {
        let rank = |s: &Symbol| (!s.local, s.address, s.value);
        rank(a).cmp(&rank(b)).then_with(|| a.name.cmp(&b.name))
    });
    if let Some((id, _)) = c.sources.iter().next() {
        let file = Symbol {
            name: file_name(c.sources, id).replace('\0', "_"),
            value: 0,
            size: 0,
            kind: elf::STT_FILE,
            local: true,
            address: false,
        };
        out.insert(0, file);
    }
    out
}
