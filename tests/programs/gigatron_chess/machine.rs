//! The machine with the program in it: routines called from here, and its cells.

use scrimp::disk::DiskLoader;
use scrimp::image::Image;
use scrimp::{Job, assemble, targets};
use scrimp_gigatron::semantics::Register;
use scrimp_gigatron::sim::{Cpu, Memory};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Where calls from the host return to; nothing of the program stands there.
pub const BACK: u16 = 0xfffe;
/// Letters of the codes of pieces, white and black.
pub const LETTERS: &[u8; 16] = b".PNBRQK..pnbrqk.";

/// The assembled program.
pub struct Program {
    /// As it came from the assembler.
    pub image: Image,
    fresh: Cpu,
}

/// The engine alone, with what hosts ask for.
pub static ENGINE: LazyLock<Program> =
    LazyLock::new(|| Program::of(&folder().join("chess.asm"), &[("HOST", 1)]));

/// Where the program's files are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/gigatron-chess")
}

impl Program {
    /// Assembles a file, with names defined.
    pub fn of(file: &Path, defines: &[(&str, i64)]) -> Self {
        let target = targets::by_name("gigatron").expect("the Gigatron");
        let own = |&(name, value): &(&str, i64)| (name.to_owned(), value.into());
        let job = Job {
            file: file.to_str().expect("UTF-8").into(),
            target,
            machine: target.machine("gigatron-32k"),
            dialect: "native".into(),
            defines: defines.iter().map(own).collect(),
        };
        let beside = file.parent().expect("a folder");
        let output = assemble(&job, &DiskLoader::new().search(beside).search(&folder()));
        let errors = output
            .diagnostics
            .iter()
            .map(|d| format!("{} {}", d.code, d.message));
        let errors: Vec<String> = errors.collect();
        let image = output.image.unwrap_or_else(|| panic!("{errors:#?}"));
        let mut rom = image.binary(0);
        rom.resize(0x2_0000, 0);
        // A loop where calls return to: `bra` and `nop`.
        rom[usize::from(BACK) * 2..].copy_from_slice(&[0xfc, BACK as u8, 0x02, 0]);
        let fresh = Cpu::new(&rom, Memory::K32).expect("a ROM");
        Self { image, fresh }
    }

    /// A machine at power-on with it.
    pub fn fresh(&self) -> Cpu {
        self.fresh.clone()
    }

    /// What a name is worth: a word address, a cell, a column.
    pub fn value(&self, name: &str) -> u16 {
        let symbol = self.image.symbol(name);
        let symbol = symbol.unwrap_or_else(|| panic!("no name {name}"));
        u16::try_from(symbol.value).expect("an address")
    }
}

/// A position as the program is given it.
pub struct Position {
    /// Pages of squares and their codes.
    pub codes: Vec<(u8, u8)>,
    /// Cells beside the board.
    pub cells: [(&'static str, u8); 3],
}

impl Position {
    /// A FEN's.
    pub fn of(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut codes = Vec::new();
        for (row, line) in fields[0].split('/').enumerate() {
            let mut page = 0x1d + 10 * (7 - row as u8);
            for c in line.bytes() {
                let (code, count) = match LETTERS.iter().position(|&l| l == c) {
                    Some(code) => (code as u8, 1),
                    None => (0, c - b'0'),
                };
                codes.extend((page..page + count).map(|p| (p, code)));
                page += count;
            }
        }
        let right = |c| b"KQkq".iter().position(|&r| r == c).map_or(0, |i| 1 << i);
        let cells = [
            ("side", u8::from(fields[1] == "b")),
            ("rights", fields[2].bytes().map(right).sum()),
            ("ep", square(fields[3]).unwrap_or(0)),
        ];
        Self { codes, cells }
    }
}

/// A machine with the program.
#[derive(Clone)]
pub struct Machine {
    pub cpu: Cpu,
    program: &'static Program,
}

impl Machine {
    /// With the engine alone and its tables filled.
    pub fn new() -> Self {
        Self::with(&ENGINE)
    }

    /// With another build.
    pub fn with(program: &'static Program) -> Self {
        let mut m = Self {
            cpu: program.fresh.clone(),
            program,
        };
        if program.image.symbol("tables").is_some() {
            m.call("tables", 1_000_000);
        }
        m
    }

    /// What a name is worth.
    pub fn value(&self, name: &str) -> u16 {
        self.program.value(name)
    }

    /// A cell of page 0.
    pub fn cell(&self, name: &str) -> u8 {
        self.cpu.peek(self.value(name))
    }

    /// Sets a cell of page 0.
    pub fn set(&mut self, name: &str, value: u8) {
        self.cpu.poke(self.value(name), value);
    }

    /// A byte of a table in columns.
    pub fn at(&self, page: u8, column: &str) -> u8 {
        self.cpu.peek(u16::from(page) << 8 | self.value(column))
    }

    /// Sets a byte of a table in columns.
    pub fn set_at(&mut self, page: u8, column: &str, value: u8) {
        self.cpu
            .poke(u16::from(page) << 8 | self.value(column), value);
    }

    /// Runs to one of these labels: the place in the list, or `None` if it comes to
    /// none of them within the clocks.
    pub fn until(&mut self, labels: &[&str], clocks: u64) -> Option<usize> {
        let places: Vec<u16> = labels.iter().map(|l| self.value(l)).collect();
        self.until_at(&places, clocks)
    }

    /// The build that runs.
    pub fn program(&self) -> &'static Program {
        self.program
    }

    /// As [`Self::until`], to addresses.
    pub fn until_at(&mut self, places: &[u16], clocks: u64) -> Option<usize> {
        self.cpu.run_to(places, self.cpu.now() + clocks)
    }

    /// Goes to a routine as the macro `call` does.
    pub fn start(&mut self, routine: &str) {
        self.set("return", (BACK >> 8) as u8);
        self.cpu.set_register(Register::Ac, BACK as u8);
        self.cpu.go(self.value(routine));
    }

    /// Calls a routine; AC when it comes back.
    pub fn call(&mut self, routine: &str, clocks: u64) -> u8 {
        self.start(routine);
        let came = self.until_at(&[BACK], clocks);
        assert!(
            came.is_some(),
            "{routine} is at {:04X} after {clocks} clocks",
            self.cpu.at()
        );
        self.cpu.register(Register::Ac)
    }

    /// Calls a routine that runs for long: faster, with a few thousand clocks too many.
    pub fn call_long(&mut self, routine: &str, clocks: u64) {
        self.start(routine);
        let end = self.cpu.now() + clocks;
        while self.cpu.at() < BACK {
            assert!(self.cpu.now() < end, "{routine}: at {:04X}", self.cpu.at());
            self.cpu.run_bare(self.cpu.now() + 4096);
        }
    }

    /// Tells the generator or search where to go: `visit`, `captured` or `quieted`.
    pub fn direct(&mut self, cell: &str, to: u16) {
        self.set(&format!("{cell}.page"), (to >> 8) as u8);
        self.set(&format!("{cell}.low"), to as u8);
    }

    /// Puts a position as codes on the board and in the cells beside it; `setup` makes
    /// the rest of it.
    pub fn put(&mut self, fen: &str) {
        for page in 0x08..=0x7f {
            self.lay(page, 0x80);
        }
        let position = Position::of(fen);
        for (page, code) in position.codes {
            self.lay(page, code);
        }
        for (cell, value) in position.cells {
            self.set(cell, value);
        }
        if self.program.image.symbol("rules").is_some() {
            self.set("rules", 7);
        }
    }

    /// Puts a code on a square, where `setup` finds it and where it leaves it.
    fn lay(&mut self, page: u8, code: u8) {
        self.set_at(page, "board", code);
        self.set_at(page, "code", code);
    }

    /// Puts a position and sets up all tables.
    pub fn position(&mut self, fen: &str) {
        self.put(fen);
        self.call("setup", 1_000_000);
    }

    /// The column `code` at a square.
    pub fn code_at(&self, page: u8) -> u8 {
        self.at(page, "code")
    }

    /// The first field of a FEN, from the column `code`.
    pub fn fen_board(&self) -> String {
        let mut out = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let code = self.code_at(0x1d + 10 * rank + file);
                if code == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    out.push_str(&empty.to_string());
                    empty = 0;
                }
                out.push(char::from(LETTERS[usize::from(code & 15)]));
            }
            if empty > 0 {
                out.push_str(&empty.to_string());
            }
            if rank > 0 {
                out.push('/');
            }
        }
        out
    }
}

/// The page of a square by its name.
pub fn square(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(0x1d + 10 * (rank - b'1') + (file - b'a')),
        _ => None,
    }
}

/// The name of a square by its page.
pub fn name(page: u8) -> String {
    let (rank, file) = ((page - 0x1d) / 10, (page - 0x1d) % 10);
    format!("{}{}", char::from(b'a' + file), rank + 1)
}
