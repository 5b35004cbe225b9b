//! The order in which ld puts the sections of all files by its default script for
//! this family, and the symbols that the script defines on its way.

/// A step of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// All sections of that name, file by file; a star at the end stands for any
    /// more.
    Input(&'static str),
    /// Up to a multiple of two.
    Even,
    /// The address here has a name.
    Symbol(&'static str),
    /// Room that files share by name.
    Common,
}

/// A part of memory that the script fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// From the start of flash.
    Flash,
    /// Data with its first values behind what is in flash.
    Data,
    /// Behind that, without values.
    Empty,
    /// Stored behind what is in flash, and read as data at that distance from there.
    Mapped(u64),
    /// From a linear address.
    At(u64),
}

use Step::{Common, Even, Input, Symbol};

/// Everything in flash.
const FLASH: &[Step] = &[
    Input(".vectors"),
    Input(".progmem.gcc*"),
    Even,
    Symbol("__trampolines_start"),
    Input(".trampolines"),
    Input(".trampolines*"),
    Symbol("__trampolines_end"),
    Input(".progmem*"),
    Even,
    Input(".jumptables"),
    Input(".jumptables*"),
    Input(".lowtext"),
    Input(".lowtext*"),
    Symbol("__ctors_start"),
    Input(".ctors"),
    Symbol("__ctors_end"),
    Symbol("__dtors_start"),
    Input(".dtors"),
    Symbol("__dtors_end"),
    Input(".init0"),
    Input(".init1"),
    Input(".init2"),
    Input(".init3"),
    Input(".init4"),
    Input(".init5"),
    Input(".init6"),
    Input(".init7"),
    Input(".init8"),
    Input(".init9"),
    Input(".text"),
    Even,
    Input(".text.*"),
    Even,
    Input(".fini9"),
    Input(".fini8"),
    Input(".fini7"),
    Input(".fini6"),
    Input(".fini5"),
    Input(".fini4"),
    Input(".fini3"),
    Input(".fini2"),
    Input(".fini1"),
    Input(".fini0"),
    Symbol("_etext"),
];

/// Everything in RAM that has a first value.
const DATA: &[Step] = &[
    Symbol("__data_start"),
    Input(".data"),
    Input(".data*"),
    Input(".gnu.linkonce.d*"),
    Input(".rodata"),
    Input(".rodata*"),
    Input(".gnu.linkonce.r*"),
    Even,
    Symbol("_edata"),
    Symbol("__data_end"),
];

/// Constants where flash is read as data.
const CONSTANTS: &[Step] = &[
    Input(".rodata"),
    Input(".rodata*"),
    Input(".gnu.linkonce.r*"),
];

/// The rest of RAM.
const EMPTY: &[Step] = &[
    Symbol("__bss_start"),
    Input(".bss"),
    Input(".bss*"),
    Common,
    Symbol("__bss_end"),
];

const NOINIT: &[Step] = &[
    Symbol("__noinit_start"),
    Input(".noinit*"),
    Symbol("__noinit_end"),
    Symbol("_end"),
    Symbol("__heap_start"),
];

/// The part that machines have which read program memory as data so far up: before all
/// but flash.
pub const fn mapped(distance: u64) -> (Place, &'static [Step]) {
    (Place::Mapped(distance), CONSTANTS)
}

/// The name by which a user of the linker says that distance.
pub const DISTANCE: &str = "__RODATA_PM_OFFSET__";

/// The script: where, and what in which order.
pub const SCRIPT: &[(Place, &[Step])] = &[
    (Place::Flash, FLASH),
    (Place::Data, DATA),
    (Place::Empty, EMPTY),
    (Place::Empty, NOINIT),
    (
        Place::At(0x81_0000),
        &[Input(".eeprom*"), Symbol("__eeprom_end")],
    ),
    (
        Place::At(0x82_0000),
        &[
            Input(".fuse"),
            Input(".lfuse"),
            Input(".hfuse"),
            Input(".efuse"),
            Input(".config*"),
        ],
    ),
    (Place::At(0x83_0000), &[Input(".lock*")]),
    (Place::At(0x84_0000), &[Input(".signature*")]),
    (Place::At(0x85_0000), &[Input(".user_signatures*")]),
];

/// Whether a section is meant.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => pattern == name,
    }
}

/// Places in the linker's table of names at first.
const BUCKETS: usize = 4051;

/// The number that the linker's table of names sorts by: rooms that files share are
/// placed in the order of that table.
fn hash(name: &str) -> u64 {
    let mut h = 0u64;
    for c in name.bytes().map(u64::from) {
        h = h.wrapping_add(c.wrapping_add(c << 17));
        h ^= h >> 2;
    }
    let n = name.len() as u64;
    h = h.wrapping_add(n.wrapping_add(n << 17));
    h ^ h >> 2
}

/// Where a name stands in that table, which has `names` names in all.
pub fn bucket(name: &str, names: usize) -> usize {
    let mut size = BUCKETS;
    // It grows to the next of these when three quarters are full.
    for larger in [8179, 16381, 32749, 65521, 131_071] {
        if names <= size * 3 / 4 {
            break;
        }
        size = larger;
    }
    (hash(name) % size as u64) as usize
}
