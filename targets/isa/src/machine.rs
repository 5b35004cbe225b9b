//! Machines: memory, media, and a simulation that people play.

use crate::container::{Container, ImageView};
use crate::cycles::Cycles;
use crate::probe::Probe;
use crate::proof::{Broken, Promises};

/// A named range of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Name used by `section NAME in REGION`.
    pub name: &'static str,
    /// First address, linear where the target has several spaces.
    pub start: u64,
    /// Bytes.
    pub size: u64,
}

/// One character cell or pixel picture of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Text rows as Unicode, one `char` a cell; empty for a machine without text.
    pub text: Vec<String>,
    /// For each row which cells are inverse.
    pub inverse: Vec<Vec<bool>>,
    /// Pixel picture: width, height and 8-bit RGB, row by row.
    pub width: usize,
    /// Height of the picture in pixels.
    pub height: usize,
    /// `3 * width * height` bytes.
    pub rgb: Vec<u8>,
}

/// Why a simulation came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The cycles are used up.
    Cycles,
    /// The program counter reached a breakpoint.
    Breakpoint(u64),
    /// The CPU halted for good (interrupts off).
    Halted,
}

/// A running machine.
pub trait Simulation {
    /// Runs for `cycles` clock cycles (whole instructions; may overrun by one).
    fn run(&mut self, cycles: u64) -> Stop;
    /// Cycles since power-on.
    fn cycles(&self) -> u64;
    /// The picture as last shown.
    fn screen(&self) -> Screen;
    /// Presses or releases a key by its name on the machine (`A`, `NEWLINE`,
    /// `SHIFT+P`). The error names the keys there are.
    fn key(&mut self, key: &str, down: bool) -> Result<(), String>;
    /// Keys for a typed character, `None` if the machine has none for it.
    fn key_for(&self, typed: char) -> Option<&'static str>;
    /// Keys of a computer that type no character (`F1`, `Home`), and the machine's keys
    /// that they are for.
    fn named_keys(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Program counter.
    fn pc(&self) -> u64;
    /// Registers by name.
    fn registers(&self) -> Vec<(&'static str, u64)>;
    /// A register by its name, also one that is part of another.
    fn register(&self, name: &str) -> Option<u64> {
        let all = self.registers();
        let found = all.into_iter().find(|r| r.0.eq_ignore_ascii_case(name));
        found.map(|r| r.1)
    }
    /// Sets a register; false if there is none of that name.
    fn set_register(&mut self, name: &str, value: u64) -> bool;
    /// Reads memory without side effects.
    fn peek(&self, address: u64) -> u8;
    /// Writes memory.
    fn poke(&mut self, address: u64, value: u8);
    /// Stops before the instruction at that address.
    fn breakpoint(&mut self, address: u64, on: bool);
    /// Lowest stack pointer since the program started.
    fn lowest_stack(&self) -> u64;
    /// The stack pointer, where there is one.
    fn stack(&self) -> Option<u64> {
        None
    }
    /// Does what a call does, with an address to come back to; false where the CPU has no
    /// calls. Addresses are those of [`pc`](Self::pc).
    fn call(&mut self, to: u64, back: u64) -> bool {
        let _ = (to, back);
        false
    }
    /// Does what a return does; false where the CPU has none.
    fn leave(&mut self) -> bool {
        false
    }
    /// Puts a level on a pin from outside, or lets it go.
    ///
    /// # Errors
    /// There is no such pin.
    fn drive(&mut self, pin: &str, level: Option<bool>) -> Result<(), String> {
        let _ = level;
        Err(format!("this machine has no pin {pin}"))
    }
    /// The level of a pin; `None` where there is no such.
    fn level(&self, pin: &str) -> Option<bool> {
        let _ = pin;
        None
    }
    /// Puts a probe between the program and its machine, which knows what has been written
    /// so far. What the program reads from there on is noted if the probe watches memory.
    /// False for a machine that takes none.
    fn attach(&mut self, probe: Probe) -> bool {
        let _ = probe;
        false
    }
    /// The probe.
    fn probe(&mut self) -> Option<&mut Probe> {
        None
    }
    /// Clock cycles in a second now, where that is not [`Machine::clock`].
    fn clock(&self) -> Option<u64> {
        None
    }
    /// Types bytes at the machine's serial terminal; false if it has none.
    fn type_serial(&mut self, bytes: &[u8]) -> bool {
        let _ = bytes;
        false
    }
    /// What the program sent to the serial terminal.
    fn serial(&self) -> Option<&[u8]> {
        None
    }
    /// Lamps by name, and whether they are lit.
    fn lights(&self) -> Vec<(String, bool)> {
        Vec::new()
    }
    /// Lines for people on the state of parts such as a keypad.
    fn panel(&self) -> Vec<String> {
        Vec::new()
    }
    /// Keeps the sound from now on; samples in a second, or nothing for a machine
    /// without sound.
    fn record(&mut self) -> Option<u32> {
        None
    }
    /// The sound since, one byte a sample, 128 in the middle.
    fn recorded(&mut self) -> Vec<u8> {
        Vec::new()
    }
    /// What the program did that it hardly meant to, such as a reset: a sentence
    /// each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
    /// What is wrong with the signals that the machine gives, such as a picture that no
    /// screen shows: a sentence each.
    fn faults(&self) -> Vec<String> {
        Vec::new()
    }
    /// Watches from now on that the program keeps its promises; false if there is
    /// nothing that this machine can watch.
    fn watch(&mut self, promises: &Promises) -> bool {
        let _ = promises;
        false
    }
    /// The promises that were not kept.
    fn broken(&self) -> Vec<Broken> {
        Vec::new()
    }
    /// A copy of the whole machine, to go back to.
    fn snapshot(&self) -> Box<dyn Simulation>;
}

/// What a machine starts with.
#[derive(Clone, Debug, Default)]
pub struct Media {
    /// A file in the machine's own container (`.p`).
    pub program: Vec<u8>,
    /// Its container name.
    pub container: String,
    /// What goes into memory at which linear address, for machines without a
    /// container.
    pub memory: Vec<(u64, Vec<u8>)>,
    /// The program's `program.toml`, whose `[board]` says what hangs on the machine;
    /// empty for none.
    pub manifest: String,
    /// The system ROM to use instead of ours.
    pub rom: Option<Vec<u8>>,
    /// Loads through the machine's own medium (tape) instead of putting the
    /// program into memory at once.
    pub slow_load: bool,
}

/// A file of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltFile<'a> {
    /// Name of the format: `hex`.
    pub format: &'a str,
    /// Where it is, as the user would write it.
    pub path: &'a str,
}

/// A first program for a machine, which shows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Starter {
    /// The source, in scrimp's own dialect; the machine stands in `program.toml`.
    pub source: String,
    /// Lines of its `[board]` table; none where nothing hangs on the machine.
    pub board: String,
    /// Bytes that it may grow to.
    pub budget: u64,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Bytes of the text; nothing when it is no single place.
    pub span: Option<std::ops::Range<usize>>,
    /// What is wrong.
    pub message: String,
}

/// A machine built on a CPU.
pub trait Machine: Sync {
    /// Short name for `--machine`: `zx81-1k`.
    fn name(&self) -> &'static str;
    /// One line about it.
    fn title(&self) -> &'static str;
    /// Options that its file formats have.
    fn options(&self) -> &'static [&'static str] {
        &[]
    }
    /// Clock in Hz.
    fn clock(&self) -> u64;
    /// Memory that programs may fill.
    fn regions(&self) -> &'static [Region];
    /// Regions in which room without values (`ds 2`) comes with no bytes in a file.
    fn blank(&self) -> &'static [&'static str] {
        &[]
    }
    /// What of the regions is used for something else: only bytes that a source gives an
    /// address are put there.
    fn occupied(&self) -> &'static [Region] {
        &[]
    }
    /// Its file formats, the usual one first.
    fn containers(&self) -> &'static [Container];
    /// Features of its CPU, bits of [`Target::features`](crate::Target::features).
    fn features(&self) -> u32 {
        u32::MAX
    }
    /// Cells of the CPU, by their names in its layout, that belong to the machine: its
    /// display or firmware may use them at any time.
    fn reserved(&self) -> &'static [&'static str] {
        &[]
    }
    /// Bytes of program memory after which the program counter starts again at 0,
    /// where relative jumps may cross that seam.
    fn wraps(&self) -> Option<u64> {
        None
    }
    /// How far above its own address program memory appears in data memory, where
    /// linkers leave constants in it.
    fn mapped_program(&self) -> Option<u64> {
        None
    }
    /// Time of a form on its CPU, where that is not the one in the table.
    fn cycles(&self, form: u16) -> Option<Cycles> {
        let _ = form;
        None
    }
    /// Macros that a C preprocessor for this machine knows from the start.
    fn predefined(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    /// A fact for tools by name, such as `avrdude` for the part's name there.
    fn fact(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }
    /// What to do to get the files of a build onto the real machine, a line each:
    /// commands to run, and remarks. Nothing is said that could break it.
    fn install(&self, files: &[BuiltFile<'_>], image: &dyn ImageView) -> Vec<String> {
        let _ = (files, image);
        Vec::new()
    }
    /// The settings that the program has for the hardware (fuses), as options for the
    /// machine's programmer, a line each; `None` where the machine has no such.
    fn settings(&self, image: &dyn ImageView) -> Option<Vec<String>> {
        let _ = image;
        None
    }
    /// Source files that come with the machine, for `include <name>`.
    fn library(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// A program to begin with, where there is one.
    fn starter(&self) -> Option<Starter> {
        None
    }
    /// Code of a character in one of the machine's character maps.
    fn character(&self, map: &str, c: char) -> Option<u8> {
        let _ = (map, c);
        None
    }
    /// Names of the character maps.
    fn charmaps(&self) -> &'static [&'static str] {
        &[]
    }
    /// Checks the `[board]` table of a `program.toml`, given its whole text.
    ///
    /// # Errors
    /// What is wrong with it; for a machine whose parts are fixed that it is there.
    fn check_board(&self, manifest: &str) -> Result<(), Fault> {
        let _ = manifest;
        Err(Fault {
            span: None,
            message: format!("what hangs on {} is fixed, it needs no board", self.name()),
        })
    }
    /// Powers it on. `firmware` is the image of our own ROM, which the caller
    /// assembles from `programs/`.
    fn start(&self, media: &Media, firmware: &[u8]) -> Result<Box<dyn Simulation>, String>;
    /// Folder name in `programs/` of our own firmware, where the machine needs one.
    fn firmware(&self) -> Option<&'static str> {
        None
    }
    /// Whether bytes are the ROM that comes with the machine, by their number and first
    /// instruction.
    fn is_own_rom(&self, bytes: &[u8]) -> bool {
        let _ = bytes;
        false
    }
}
