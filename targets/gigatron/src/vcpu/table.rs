//! The instruction table of the vCPU: one row a form.
//!
//! Letters in the patterns: `d` and `e` a byte of page 0, `n` a number, `w` a word, `t` a
//! target less 2. A row has the clocks in four generations of ROMs: v1 to v4, v5a and v6,
//! dev7, vX0; 0 where they do not have the instruction.
//!
//! Sources: the makers' summary of the vCPU and, for the clocks, the ROMs themselves.

use scrimp_isa::{Cycles, Form, Pattern};

use super::rom::feature::{CALLI, COMPARE, DEV7, VX0};
use super::semantics::Op;

/// Clocks in the four generations.
pub type Times = [Cycles; 4];

/// A form, what it does, and its times.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The form; its time is that of v5a and v6.
    pub form: Form,
    /// What it does.
    pub op: Op,
    /// Its times.
    pub times: Times,
}

const fn row(name: &'static str, operands: &'static str, pattern: Pattern, op: Op) -> Row {
    Row {
        form: Form {
            name,
            operands,
            pattern,
            cycles: Cycles::Fixed(0),
            op: op as u16,
            documented: true,
            alias: false,
            needs: 0,
            spelling: "",
        },
        op,
        times: [Cycles::Fixed(0); 4],
    }
}

/// Clocks that are always the same.
const fn at(name: &'static str, operands: &'static str, bits: &str, op: Op, t: [u8; 4]) -> Row {
    let mut row = row(name, operands, Pattern::bytes(bits), op);
    let mut i = 0;
    while i < 4 {
        row.times[i] = Cycles::Fixed(t[i]);
        i += 1;
    }
    row.form.cycles = row.times[1];
    row
}

/// With two times in some ROMs: the longer one first.
const fn two(mut row: Row, rom: usize, long: u8, short: u8) -> Row {
    row.times[rom] = Cycles::Repeat {
        again: long,
        last: short,
    };
    row.form.cycles = row.times[1];
    row
}

/// Of ROMs with these features only.
const fn needs(mut row: Row, features: u32) -> Row {
    row.form.needs = features;
    if features & DEV7 != 0 {
        row.form.cycles = row.times[2];
    }
    if features & VX0 != 0 {
        row.form.cycles = row.times[3];
    }
    row
}

/// An instruction of dev7, with its longest and its shortest time there.
const fn dev7(
    name: &'static str,
    operands: &'static str,
    bits: &str,
    op: Op,
    long: u8,
    short: u8,
) -> Row {
    let row = at(name, operands, bits, op, [0, 0, long, 0]);
    if long == short {
        return needs(row, DEV7);
    }
    needs(two(row, 2, long, short), DEV7)
}

/// Assembled, never printed.
const fn alias(mut row: Row) -> Row {
    row.form.alias = true;
    row
}

/// With the high byte of a word first.
const fn high_first(mut row: Row, bits: &str) -> Row {
    row.form.pattern = Pattern::parse(bits, 8, false);
    row
}

/// A branch: dev7 and vX0 are faster, and not both ways alike.
const fn branch(name: &'static str, bits: &str, op: Op, dev7: [u8; 2], vx0: [u8; 2]) -> Row {
    let mut row = at(name, "page", bits, op, [28, 28, 0, 0]);
    row.times[2] = Cycles::Branch {
        taken: dev7[0],
        not_taken: dev7[1],
    };
    row.times[3] = Cycles::Branch {
        taken: vx0[0],
        not_taken: vx0[1],
    };
    row
}

impl Row {
    /// Whether the way that [`exec`](super::semantics::exec) tells of, a branch that is taken,
    /// is the shorter one.
    pub const fn is_turned(&self, times: usize) -> bool {
        match self.times[times] {
            Cycles::Branch { taken, not_taken } => taken < not_taken,
            _ => false,
        }
    }
}

/// All rows.
#[rustfmt::skip]
pub static ROWS: &[Row] = &[
    // ---- load and store ----
    at("ldwi", "w", "00010001 wwwwwwww wwwwwwww", Op::Ldwi, [20, 20, 20, 24]),
    at("ld", "zp", "00011010 dddddddd", Op::Ld, [18, 22, 18, 22]),
    at("ldw", "zp", "00100001 dddddddd", Op::Ldw, [20, 20, 20, 24]),
    at("stw", "zp", "00101011 dddddddd", Op::Stw, [20, 20, 20, 24]),
    at("ldi", "n", "01011001 nnnnnnnn", Op::Ldi, [16, 16, 16, 20]),
    at("st", "zp", "01011110 dddddddd", Op::St, [16, 16, 16, 20]),
    at("peek", "", "10101101", Op::Peek, [26, 26, 26, 26]),
    at("deek", "", "11110110", Op::Deek, [28, 28, 28, 28]),
    at("poke", "zp", "11110000 dddddddd", Op::Poke, [26, 26, 26, 26]),
    at("doke", "zp", "11110011 dddddddd", Op::Doke, [28, 28, 28, 28]),
    at("lup", "n", "01111111 nnnnnnnn", Op::Lup, [26, 26, 28, 26]),
    // ---- arithmetic and logic ----
    at("inc", "zp", "10010011 dddddddd", Op::Inc, [16, 20, 18, 22]),
    at("addw", "zp", "10011001 dddddddd", Op::Addw, [28, 28, 28, 30]),
    at("subw", "zp", "10111000 dddddddd", Op::Subw, [28, 28, 30, 30]),
    two(at("addi", "n", "11100011 nnnnnnnn", Op::Addi, [28, 28, 0, 26]), 2, 26, 24),
    two(at("subi", "n", "11100110 nnnnnnnn", Op::Subi, [28, 28, 0, 26]), 2, 26, 24),
    two(at("lslw", "", "11101001", Op::Lslw, [28, 28, 0, 28]), 2, 28, 26),
    at("andi", "n", "10000010 nnnnnnnn", Op::Andi, [16, 22, 18, 20]),
    at("ori", "n", "10001000 nnnnnnnn", Op::Ori, [14, 14, 14, 20]),
    at("xori", "n", "10001100 nnnnnnnn", Op::Xori, [14, 14, 14, 20]),
    at("andw", "zp", "11111000 dddddddd", Op::Andw, [28, 28, 26, 26]),
    at("orw", "zp", "11111010 dddddddd", Op::Orw, [28, 28, 26, 26]),
    at("xorw", "zp", "11111100 dddddddd", Op::Xorw, [26, 26, 26, 26]),
    needs(two(two(at("cmphs", "zp", "00011111 dddddddd", Op::Cmphs, [0; 4]), 1, 28, 22), 2, 26, 20), COMPARE),
    needs(two(two(at("cmphu", "zp", "10010111 dddddddd", Op::Cmphu, [0; 4]), 1, 28, 22), 2, 26, 20), COMPARE),
    // ---- jumps ----
    at("bra", "page", "10010000 tttttttt", Op::Bra, [14, 14, 14, 18]),
    branch("beq", "00110101 00111111 tttttttt", Op::Beq, [24, 24], [28, 26]),
    branch("bne", "00110101 01110010 tttttttt", Op::Bne, [24, 24], [28, 26]),
    branch("blt", "00110101 01010000 tttttttt", Op::Blt, [24, 24], [28, 26]),
    branch("bgt", "00110101 01001101 tttttttt", Op::Bgt, [26, 26], [28, 26]),
    branch("ble", "00110101 01010110 tttttttt", Op::Ble, [24, 26], [28, 26]),
    branch("bge", "00110101 01010011 tttttttt", Op::Bge, [24, 24], [28, 26]),
    at("call", "zp", "11001111 dddddddd", Op::Call, [26, 26, 30, 30]),
    needs(at("calli", "a", "10000101 wwwwwwww wwwwwwww", Op::Calli, [0, 28, 28, 28]), CALLI),
    at("ret", "", "11111111", Op::Ret, [20, 20, 20, 20]),
    at("def", "page", "11001101 tttttttt", Op::Def, [26, 24, 24, 26]),
    // The stores to vPC that a far jump is made of, for the shortest of both.
    alias(at("jmp", "far", "00010001 tttttttt tttttttt 00101011 00010110", Op::Ldwi, [40, 40, 40, 48])),
    // ---- stack ----
    at("push", "", "01110101", Op::Push, [26, 26, 28, 28]),
    at("pop", "", "01100011", Op::Pop, [26, 26, 30, 30]),
    at("alloc", "offset", "11011111 nnnnnnnn", Op::Alloc, [14, 14, 24, 20]),
    at("stlw", "offset", "11101100 nnnnnnnn", Op::Stlw, [26, 26, 26, 24]),
    at("ldlw", "offset", "11101110 nnnnnnnn", Op::Ldlw, [26, 26, 26, 24]),
    // ---- native functions; the least time that they take ----
    at("halt", "", "10110100 10000000", Op::Halt, [28, 28, 28, 28]),
    at("sys", "clocks", "10110100 nnnnnnnn", Op::Sys, [20, 20, 20, 20]),
    // ---- dev7 ----
    dev7("negv", "zp", "00011000 dddddddd", Op::Negv, 26, 26),
    dev7("addhi", "high", "00110011 nnnnnnnn", Op::Addhi, 16, 16),
    dev7("pokea", "zp", "00111001 dddddddd", Op::Pokea, 22, 22),
    dev7("dokea", "zp", "00111011 dddddddd", Op::Dokea, 28, 28),
    dev7("deeka", "zp", "00111101 dddddddd", Op::Deeka, 30, 30),
    dev7("jeq", "far", "00111111 tttttttt tttttttt", Op::Jeq, 26, 24),
    dev7("jne", "far", "01110010 tttttttt tttttttt", Op::Jne, 26, 24),
    dev7("jlt", "far", "01010000 tttttttt tttttttt", Op::Jlt, 24, 22),
    dev7("jge", "far", "01010011 tttttttt tttttttt", Op::Jge, 24, 22),
    dev7("jgt", "far", "01001101 tttttttt tttttttt", Op::Jgt, 26, 22),
    dev7("jle", "far", "01010110 tttttttt tttttttt", Op::Jle, 26, 24),
    dev7("deekv", "zp", "01000001 dddddddd", Op::Deekv, 28, 28),
    dev7("dokeq", "n", "01000100 nnnnnnnn", Op::Dokeq, 22, 22),
    dev7("pokeq", "n", "01000110 nnnnnnnn", Op::Pokeq, 20, 20),
    dev7("movqb", "n,zp", "01001000 dddddddd nnnnnnnn", Op::Movqb, 26, 26),
    dev7("movqw", "n,zp", "01001010 dddddddd nnnnnnnn", Op::Movqw, 28, 28),
    dev7("addv", "zp", "01100110 dddddddd", Op::Addv, 30, 30),
    dev7("subv", "zp", "01101000 dddddddd", Op::Subv, 30, 30),
    dev7("ldxw", "zp,w", "01101010 dddddddd wwwwwwww wwwwwwww", Op::Ldxw, 58, 58),
    dev7("stxw", "zp,w", "01101100 dddddddd wwwwwwww wwwwwwww", Op::Stxw, 58, 58),
    dev7("ldsb", "zp", "01101110 dddddddd", Op::Ldsb, 24, 24),
    dev7("incv", "zp", "01110000 dddddddd", Op::Incv, 26, 22),
    dev7("dbne", "zp,page", "01111010 dddddddd tttttttt", Op::Dbne, 26, 24),
    high_first(dev7("moviw", "w,zp", "10110001 dddddddd wwwwwwww wwwwwwww", Op::Moviw, 30, 30), "10110001 dddddddd wwwwwwww wwwwwwww"),
    dev7("movw", "zp2,zp", "10111011 dddddddd eeeeeeee", Op::Movw, 36, 36),
    dev7("addsv", "signed,zp", "11000110 dddddddd nnnnnnnn", Op::Addsv, 54, 30),
    dev7("cmpws", "zp", "11010011 dddddddd", Op::Cmpws, 30, 26),
    dev7("cmpwu", "zp", "11010110 dddddddd", Op::Cmpwu, 30, 26),
    dev7("cmpis", "n", "11011001 nnnnnnnn", Op::Cmpis, 30, 22),
    dev7("cmpiu", "n", "11011011 nnnnnnnn", Op::Cmpiu, 30, 24),
    dev7("peekv", "zp", "11011101 dddddddd", Op::Peekv, 28, 28),
    dev7("peeka", "zp", "11100001 dddddddd", Op::Peeka, 24, 24),
    // ---- vX0 ----
    needs(two(at("cmphs", "zp", "00101111 dddddddd 00110111", Op::Cmphs, [0; 4]), 3, 28, 22), VX0),
    needs(two(at("cmphu", "zp", "00101111 dddddddd 00111010", Op::Cmphu, [0; 4]), 3, 28, 22), VX0),
];

const fn forms() -> [Form; ROWS.len()] {
    let mut all = [ROWS[0].form; ROWS.len()];
    let mut i = 0;
    while i < ROWS.len() {
        all[i] = ROWS[i].form;
        i += 1;
    }
    all
}

/// The forms of [`ROWS`].
pub static FORMS: [Form; ROWS.len()] = forms();
