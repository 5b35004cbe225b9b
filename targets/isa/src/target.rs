//! The contract between a target room and the engine.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::proof::{Contract, Plan, Spot};
use crate::{ContractKind, Decoded, Form, ImageView, Machine, Operand, Proof, Semantics};

/// A mnemonic that stands for the shortest of several instructions.
#[derive(Clone, Copy, Debug)]
pub struct Relax {
    /// What is written: `jump`.
    pub name: &'static str,
    /// Mnemonics to try with the same operands, shortest first.
    pub tries: &'static [&'static str],
}

/// A range of addresses that mean one kind of memory. The engine works with
/// linear addresses, in which the spaces of a target follow each other; what a
/// label is worth is its linear address less the `base` of its space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Its name: `flash`.
    pub name: &'static str,
    /// Linear address of its address 0.
    pub base: u64,
    /// Most bytes, on any machine.
    pub size: u64,
    /// Bytes that one address counts where the CPU's own documents count words;
    /// only dialects that do so too look at it.
    pub unit: u8,
    /// Bytes in it come with the program; otherwise it only has room (RAM that is
    /// empty at power-on).
    pub stored: bool,
}

/// Memory as pages of columns, for tables that have one byte in each page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Linear address of page 0, column 0.
    pub base: u64,
    /// Pages.
    pub pages: u16,
    /// Bytes of a page.
    pub columns: u16,
    /// Instruction that chooses the page `#`.
    pub select: &'static str,
    /// Instruction that loads the value `#`.
    pub load: &'static str,
    /// Instruction that stores it in the column `#` of the page.
    pub store: &'static str,
}

/// Tables of bytes in memory that can only be executed.
///
/// The texts are lines in the target's own language. In them `back` stands for what
/// the table names as the place to go on at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RomTable {
    /// Name of the address space that it stands in.
    pub space: &'static str,
    /// Bytes of a page.
    pub page: u64,
    /// Most values in a page.
    pub most: u16,
    /// What stands before each value to make it an instruction.
    pub prefix: &'static [u8],
    /// The words behind the values of a page that fetch one of them, up to the slot of
    /// the jump back to a label.
    pub by_label: &'static str,
    /// Likewise, back to the address in two cells.
    pub by_cells: &'static str,
    /// What stands in that slot if the table does not say.
    pub slot: &'static str,
}

/// What is known against an instruction on a machine, though it encodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// It cannot be run at all; otherwise it is a warning.
    pub error: bool,
    /// What is wrong, with the instruction and the machine.
    pub message: String,
    /// What to use instead.
    pub help: Option<String>,
}

/// What a source says of the part it is for.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Features of the machine of that name, if there is one.
    pub known: Option<u32>,
    /// Version of the core.
    pub core: &'a str,
    /// Instructions that it lacks, with colons between.
    pub lacks: &'a str,
    /// Instructions that it has beyond its core.
    pub has: &'a str,
    /// Bytes of program memory; 0 if not said.
    pub flash: u64,
}

/// Rules for shorter code, and the certificates of their proofs.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleBase {
    /// A text as [`rules::parse`](crate::rules::parse) reads it.
    pub rules: &'static str,
    /// What [`rules::certify`](crate::rules::certify) made of it.
    pub certificates: &'static str,
}

/// What a loader of ELF files wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elf {
    /// `e_machine`.
    pub machine: u16,
    /// `e_flags`.
    pub flags: u32,
}

/// An instruction set.
pub trait Target: Sync {
    /// Short name for `--target`.
    fn name(&self) -> &'static str;
    /// One line about it.
    fn title(&self) -> &'static str;
    /// All instruction forms, the preferred one first where several encode the
    /// same text.
    fn forms(&self) -> &'static [Form];
    /// All operand classes.
    fn operands(&self) -> &'static [Operand];
    /// Other spellings of whole operands or words, e.g. `hx` for `ixh`.
    fn word_aliases(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Mnemonics that relax.
    fn relax(&self) -> &'static [Relax];
    /// Number of addresses, 65,536 for 16 bits.
    fn address_space(&self) -> u64;
    /// Most significant byte first in data words?
    fn big_endian(&self) -> bool {
        false
    }
    /// Jumps take effect after the instruction behind them.
    fn has_slots(&self) -> bool {
        false
    }
    /// Whether a word is such a jump.
    fn is_delayed(&self, word: u16) -> bool {
        let _ = word;
        false
    }
    /// Every dialect counts words in spaces of words.
    fn word_addresses(&self) -> bool {
        false
    }
    /// Bytes of a page, where the program counter goes on at the start of the page behind
    /// its end.
    fn wraps_in_page(&self) -> Option<u64> {
        None
    }
    /// What `align` puts into memory of words where the source does not say.
    fn filler(&self) -> [u8; 2] {
        [0, 0]
    }
    /// Whether the maker's listings show two instruction words, the first byte
    /// lowest, by one text.
    fn listed_alike(&self, a: u16, b: u16) -> bool {
        a == b
    }
    /// Decodes the instruction at the start of `bytes`, which stands at
    /// `address`. `None` when `bytes` is too short or no form matches.
    fn decode(&self, bytes: &[u8], address: u64) -> Option<Decoded>;
    /// As [`decode`](Self::decode), by the features of a machine where the same
    /// bits mean different instructions.
    fn decode_on(
        &self,
        bytes: &[u8],
        address: u64,
        machine: Option<&dyn Machine>,
    ) -> Option<Decoded> {
        let _ = machine;
        self.decode(bytes, address)
    }
    /// What its instructions mean, on a machine or on the largest chip.
    fn semantics(&self, machine: Option<&dyn Machine>) -> Option<Box<dyn Semantics>> {
        let _ = machine;
        None
    }
    /// Rules that are proven from these meanings.
    fn rules(&self) -> RuleBase {
        RuleBase::default()
    }
    /// Linear addresses of code that the CPU goes to by itself: reset, restarts, interrupts.
    fn vectors(&self, machine: Option<&dyn Machine>) -> Vec<std::ops::Range<u64>> {
        let _ = machine;
        Vec::new()
    }
    /// The address spaces by `base`; none stands for one of `address_space` bytes.
    fn spaces(&self) -> &'static [Space] {
        &[]
    }
    /// Names of the feature bits, bit 0 first, for people: "MUL".
    fn features(&self) -> &'static [&'static str] {
        &[]
    }
    /// Features where no machine is chosen.
    fn default_features(&self) -> u32 {
        u32::MAX
    }
    /// Features of other processors of the family: their instructions are words only where
    /// a dialect has them, and are assembled, but neither run nor rewritten.
    fn extensions(&self) -> u32 {
        0
    }
    /// Features of a part that the source describes by itself; `None` if it does not
    /// say enough.
    fn part_features(&self, part: &Part<'_>) -> Option<u32> {
        let _ = part;
        None
    }
    /// What to write where `machine` lacks what the form needs: "`rcall` reaches
    /// all of its flash".
    fn instead(&self, form: u16, machine: &dyn Machine) -> Option<String> {
        let _ = (form, machine);
        None
    }
    /// What does the same as an instruction that does not take these operands, which
    /// are in lower case without blanks: "`ld h,d` and `ld l,e`".
    fn meant(&self, mnemonic: &str, operands: &[&str]) -> Option<String> {
        let _ = (mnemonic, operands);
        None
    }
    /// What else reaches a value that an operand of this class cannot hold.
    fn reach(&self, operand: &str) -> Option<&'static str> {
        let _ = operand;
        None
    }
    /// Whether anything speaks against an encoded instruction. `word` is the
    /// instruction with the fields that are known, first byte lowest.
    fn check(&self, form: u16, word: u64, machine: Option<&dyn Machine>) -> Option<Advice> {
        let _ = (form, word, machine);
        None
    }
    /// The machines built on this CPU that are always at hand.
    fn machines(&self) -> &'static [&'static dyn Machine];
    /// A machine by name in any case, also one that is read from a data file when
    /// it is asked for.
    fn machine(&self, name: &str) -> Option<&'static dyn Machine> {
        let all = self.machines().iter().copied();
        all.into_iter()
            .find(|m| m.name().eq_ignore_ascii_case(name))
    }
    /// The machine that a beginner has, for what is begun without saying which.
    fn usual_machine(&self) -> Option<&'static dyn Machine> {
        self.machines().first().copied()
    }
    /// Names of all machines, for hints.
    fn machine_names(&self) -> Vec<&'static str> {
        self.machines().iter().map(|m| m.name()).collect()
    }
    /// A source file that comes with the target (`m8def.inc`, `avr/io.h`), for the
    /// machine in force if there is one. Names count in any case.
    fn library(&self, path: &str, machine: Option<&dyn Machine>) -> Option<Cow<'static, str>> {
        let _ = (path, machine);
        None
    }
    /// Which machines have what a name means, where the machine in force does not.
    fn elsewhere(&self, name: &str, machine: Option<&dyn Machine>) -> Option<String> {
        let _ = (name, machine);
        None
    }
    /// The dialect that a file of [`library`](Self::library) is written in, where that is
    /// not scrimp's own.
    fn library_dialect(&self, path: &str) -> Option<&'static str> {
        let _ = path;
        None
    }
    /// Files of the library whose names are near to one that there is not, the nearest
    /// first.
    fn near_files(&self, path: &str) -> Vec<String> {
        let _ = path;
        Vec::new()
    }
    /// The library file in which a dialect finds a name: the machine's, or without one an
    /// example of them.
    fn library_with(
        &self,
        name: &str,
        dialect: &str,
        machine: Option<&dyn Machine>,
    ) -> Option<String> {
        let _ = (name, dialect, machine);
        None
    }
    /// Machines whose names are near to one that there is not, the nearest first, where
    /// the target knows better than by letters.
    fn near_machines(&self, name: &str) -> Vec<&'static str> {
        let _ = name;
        Vec::new()
    }
    /// Memory as pages and columns, where tables stand in columns.
    fn grid(&self) -> Option<Grid> {
        None
    }
    /// Tables in memory that cannot be read but by executing it.
    fn rom_table(&self) -> Option<RomTable> {
        None
    }
    /// Directives that promise something about clocks.
    fn contracts(&self) -> &'static [ContractKind] {
        &[]
    }
    /// Says what must be put into a program for its promises to hold. `spots` are the
    /// places where that is possible, with their sections.
    fn plan(
        &self,
        image: &dyn ImageView,
        contracts: &[Contract],
        spots: &BTreeMap<Spot, u32>,
    ) -> Plan {
        let _ = (image, contracts, spots);
        Plan::default()
    }
    /// Proves the promises of a program; if it is asked for the `whole` proof, also what
    /// takes seconds, and what must hold without a promise.
    fn prove(&self, image: &dyn ImageView, contracts: &[Contract], whole: bool) -> Proof {
        let _ = (image, contracts, whole);
        Proof::default()
    }
    /// Numbers for the header of an ELF file, where the target has one.
    fn elf(&self, machine: Option<&dyn Machine>) -> Option<Elf> {
        let _ = machine;
        None
    }
    /// A section that simulators look for in an ELF file: its name and bytes. `clock` is
    /// that of the board in Hz, where a program file says it.
    fn elf_note(
        &self,
        machine: &dyn Machine,
        clock: Option<u64>,
        image: &dyn ImageView,
    ) -> Option<(&'static str, Vec<u8>)> {
        let _ = (machine, clock, image);
        None
    }
    /// The format of a program that is written when none is asked for, and the machine
    /// has no container of its own.
    fn usual_format(&self) -> &'static str {
        "bin"
    }
    /// Whether its documents write instructions as words of 16 bits, `940E 0123`,
    /// which are stored low byte first.
    fn word_opcodes(&self) -> bool {
        false
    }
    /// Name of its clock cycle: "T-states".
    fn cycle_name(&self) -> &'static str {
        "cycles"
    }
}
