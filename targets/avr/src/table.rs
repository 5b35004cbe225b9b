//! The instruction table of the AVR: one row a form, grouped as in the manual, with
//! the clocks of AVRe; [`crate::clocks`] has those of the other cores. The second
//! words of LDS, STS, JMP and CALL follow the first in memory.
//!
//! Letters in the patterns: `d` and `r` registers, `K` constant, `k` address, `q`
//! displacement, `a` I/O address, `b` bit, `s` bit of SREG.
//!
//! Of the spellings of one encoding that is canonical which other disassemblers
//! show: `breq` and `sec`, but `eor r1,r1` and `add r1,r1`.
//!
//! Source: Microchip DS40002198, "AVR Instruction Set Manual".

use scrimp_isa::pattern::Piece;
use scrimp_isa::{Cycles, Form, Pattern};

use crate::features::{
    ADIW, BREAK, DES, EIND, ELPM, ELPMX, FULL, IJMP, JMP, LPM, LPMX, LPMZP, MOVW, MUL, RC, RMW,
    SPM, SPMX, SRAM,
};
use crate::op::Op;

/// Always the same number of clocks.
const fn t(n: u8) -> Cycles {
    Cycles::Fixed(n)
}

/// A conditional branch.
const BR: Cycles = Cycles::Branch {
    taken: 2,
    not_taken: 1,
};

/// A skip.
const SK: Cycles = Cycles::Skip {
    none: 1,
    one: 2,
    two: 3,
};

/// What LDD and STD need.
const DISPLACED: u32 = SRAM | FULL;

/// A form.
const fn f(
    name: &'static str,
    operands: &'static str,
    pattern: &str,
    cycles: Cycles,
    op: Op,
    needs: u32,
) -> Form {
    Form {
        name,
        operands,
        pattern: Pattern::parse(pattern, 16, false),
        cycles,
        op: op as u16,
        documented: true,
        alias: false,
        needs,
        spelling: "",
    }
}

/// Another spelling.
const fn a(
    name: &'static str,
    operands: &'static str,
    pattern: &str,
    cycles: Cycles,
    op: Op,
    needs: u32,
) -> Form {
    Form {
        alias: true,
        ..f(name, operands, pattern, cycles, op, needs)
    }
}

/// A spelling with one register for an instruction of two that are the same: the one
/// operand fills both fields.
const fn twice(name: &'static str, opcode: &str, op: Op) -> Form {
    let mut form = a(name, "d", opcode, t(1), op, 0);
    let mut i = 0;
    while form.pattern.fields[i].letter != b'd' {
        i += 1;
    }
    let field = &mut form.pattern.fields[i];
    field.width = 5;
    field.pieces = 3;
    field.piece[0] = Piece {
        value_shift: 0,
        word_shift: 4,
        width: 5,
    };
    field.piece[1] = Piece {
        value_shift: 0,
        word_shift: 0,
        width: 4,
    };
    field.piece[2] = Piece {
        value_shift: 4,
        word_shift: 9,
        width: 1,
    };
    form
}

/// LDS and STS of the reduced core. Bits 0 to 5 of the address stand in bits 0 to 3,
/// 9 and 10 of the word, bit 6 in bit 8; bit 7 is the complement of bit 6.
const fn short(name: &'static str, operands: &'static str, opcode: &str, op: Op) -> Form {
    let mut form = f(name, operands, opcode, t(1), op, RC | SRAM);
    let mut i = 0;
    while form.pattern.fields[i].letter != b'k' {
        i += 1;
    }
    let field = &mut form.pattern.fields[i];
    field.pieces = 3;
    field.piece[1] = Piece {
        value_shift: 4,
        word_shift: 9,
        width: 2,
    };
    field.piece[2] = Piece {
        value_shift: 6,
        word_shift: 8,
        width: 1,
    };
    form
}

/// Every form.
#[rustfmt::skip]
pub static FORMS: &[Form] = &[
    // ---- arithmetic and logic ----
    f("add", "d,r", "000011rdddddrrrr", t(1), Op::Add, 0),
    f("adc", "d,r", "000111rdddddrrrr", t(1), Op::Adc, 0),
    f("adiw", "w,K6", "10010110KKddKKKK", t(2), Op::Adiw, ADIW),
    f("sub", "d,r", "000110rdddddrrrr", t(1), Op::Sub, 0),
    f("subi", "d16,K8", "0101KKKKddddKKKK", t(1), Op::Subi, 0),
    f("sbc", "d,r", "000010rdddddrrrr", t(1), Op::Sbc, 0),
    f("sbci", "d16,K8", "0100KKKKddddKKKK", t(1), Op::Sbci, 0),
    f("sbiw", "w,K6", "10010111KKddKKKK", t(2), Op::Sbiw, ADIW),
    f("and", "d,r", "001000rdddddrrrr", t(1), Op::And, 0),
    f("andi", "d16,K8", "0111KKKKddddKKKK", t(1), Op::Andi, 0),
    f("or", "d,r", "001010rdddddrrrr", t(1), Op::Or, 0),
    f("ori", "d16,K8", "0110KKKKddddKKKK", t(1), Op::Ori, 0),
    f("eor", "d,r", "001001rdddddrrrr", t(1), Op::Eor, 0),
    f("com", "d", "1001010ddddd0000", t(1), Op::Com, 0),
    f("neg", "d", "1001010ddddd0001", t(1), Op::Neg, 0),
    a("sbr", "d16,K8", "0110KKKKddddKKKK", t(1), Op::Ori, 0),
    a("cbr", "d16,~K8", "0111KKKKddddKKKK", t(1), Op::Andi, 0),
    f("inc", "d", "1001010ddddd0011", t(1), Op::Inc, 0),
    f("dec", "d", "1001010ddddd1010", t(1), Op::Dec, 0),
    twice("tst", "001000rdddddrrrr", Op::And),
    twice("clr", "001001rdddddrrrr", Op::Eor),
    a("ser", "d16", "11101111dddd1111", t(1), Op::Ldi, 0),
    f("mul", "d,r", "100111rdddddrrrr", t(2), Op::Mul, MUL),
    f("muls", "d16,r16", "00000010ddddrrrr", t(2), Op::Muls, MUL),
    f("mulsu", "d8,r8", "000000110ddd0rrr", t(2), Op::Mulsu, MUL),
    f("fmul", "d8,r8", "000000110ddd1rrr", t(2), Op::Fmul, MUL),
    f("fmuls", "d8,r8", "000000111ddd0rrr", t(2), Op::Fmuls, MUL),
    f("fmulsu", "d8,r8", "000000111ddd1rrr", t(2), Op::Fmulsu, MUL),
    f("des", "K4", "10010100KKKK1011", t(1), Op::Des, DES),

    // ---- change of flow ----
    f("rjmp", "k12", "1100kkkkkkkkkkkk", t(2), Op::Rjmp, 0),
    f("ijmp", "", "1001010000001001", t(2), Op::Ijmp, IJMP),
    f("eijmp", "", "1001010000011001", t(2), Op::Eijmp, EIND),
    f("jmp", "k22", "1001010kkkkk110k kkkkkkkkkkkkkkkk", t(3), Op::Jmp, JMP),
    f("rcall", "k12", "1101kkkkkkkkkkkk", t(3), Op::Rcall, 0),
    f("icall", "", "1001010100001001", t(3), Op::Icall, IJMP),
    f("eicall", "", "1001010100011001", t(4), Op::Eicall, EIND),
    f("call", "k22", "1001010kkkkk111k kkkkkkkkkkkkkkkk", t(4), Op::Call, JMP),
    f("ret", "", "1001010100001000", t(4), Op::Ret, 0),
    f("reti", "", "1001010100011000", t(4), Op::Reti, 0),
    f("cpse", "d,r", "000100rdddddrrrr", SK, Op::Cpse, 0),
    f("cp", "d,r", "000101rdddddrrrr", t(1), Op::Cp, 0),
    f("cpc", "d,r", "000001rdddddrrrr", t(1), Op::Cpc, 0),
    f("cpi", "d16,K8", "0011KKKKddddKKKK", t(1), Op::Cpi, 0),
    f("sbrc", "d,b", "1111110ddddd0bbb", SK, Op::Sbrc, 0),
    f("sbrs", "d,b", "1111111ddddd0bbb", SK, Op::Sbrs, 0),
    f("sbic", "io5,b", "10011001aaaaabbb", SK, Op::Sbic, 0),
    f("sbis", "io5,b", "10011011aaaaabbb", SK, Op::Sbis, 0),
    f("brcs", "k7", "111100kkkkkkk000", BR, Op::Brcs, 0),
    a("brlo", "k7", "111100kkkkkkk000", BR, Op::Brcs, 0),
    f("breq", "k7", "111100kkkkkkk001", BR, Op::Breq, 0),
    f("brmi", "k7", "111100kkkkkkk010", BR, Op::Brmi, 0),
    f("brvs", "k7", "111100kkkkkkk011", BR, Op::Brvs, 0),
    f("brlt", "k7", "111100kkkkkkk100", BR, Op::Brlt, 0),
    f("brhs", "k7", "111100kkkkkkk101", BR, Op::Brhs, 0),
    f("brts", "k7", "111100kkkkkkk110", BR, Op::Brts, 0),
    f("brie", "k7", "111100kkkkkkk111", BR, Op::Brie, 0),
    f("brcc", "k7", "111101kkkkkkk000", BR, Op::Brcc, 0),
    a("brsh", "k7", "111101kkkkkkk000", BR, Op::Brcc, 0),
    f("brne", "k7", "111101kkkkkkk001", BR, Op::Brne, 0),
    f("brpl", "k7", "111101kkkkkkk010", BR, Op::Brpl, 0),
    f("brvc", "k7", "111101kkkkkkk011", BR, Op::Brvc, 0),
    f("brge", "k7", "111101kkkkkkk100", BR, Op::Brge, 0),
    f("brhc", "k7", "111101kkkkkkk101", BR, Op::Brhc, 0),
    f("brtc", "k7", "111101kkkkkkk110", BR, Op::Brtc, 0),
    f("brid", "k7", "111101kkkkkkk111", BR, Op::Brid, 0),
    // Any flag: the operation is that of the first, whose number the field counts on.
    a("brbs", "s,k7", "111100kkkkkkksss", BR, Op::Brcs, 0),
    a("brbc", "s,k7", "111101kkkkkkksss", BR, Op::Brcc, 0),

    // ---- data transfer ----
    f("mov", "d,r", "001011rdddddrrrr", t(1), Op::Mov, 0),
    f("movw", "d2,r2", "00000001ddddrrrr", t(1), Op::Movw, MOVW),
    f("ldi", "d16,K8", "1110KKKKddddKKKK", t(1), Op::Ldi, 0),
    f("lds", "d,k16", "1001000ddddd0000 kkkkkkkkkkkkkkkk", t(2), Op::Lds, SRAM | FULL),
    short("lds", "d16,k128", "10100kkkddddkkkk", Op::Lds),
    f("ld", "d,x", "1001000ddddd1100", t(2), Op::LdX, SRAM),
    f("ld", "d,x+", "1001000ddddd1101", t(2), Op::LdXInc, SRAM),
    f("ld", "d,-x", "1001000ddddd1110", t(2), Op::LdXDec, SRAM),
    f("ld", "d,y", "1000000ddddd1000", t(2), Op::LdY, SRAM),
    f("ld", "d,y+", "1001000ddddd1001", t(2), Op::LdYInc, SRAM),
    f("ld", "d,-y", "1001000ddddd1010", t(2), Op::LdYDec, SRAM),
    f("ldd", "d,y+q", "10q0qq0ddddd1qqq", t(2), Op::LdY, DISPLACED),
    f("ld", "d,z", "1000000ddddd0000", t(2), Op::LdZ, 0),
    f("ld", "d,z+", "1001000ddddd0001", t(2), Op::LdZInc, SRAM),
    f("ld", "d,-z", "1001000ddddd0010", t(2), Op::LdZDec, SRAM),
    f("ldd", "d,z+q", "10q0qq0ddddd0qqq", t(2), Op::LdZ, DISPLACED),
    f("sts", "k16,r", "1001001rrrrr0000 kkkkkkkkkkkkkkkk", t(2), Op::Sts, SRAM | FULL),
    short("sts", "k128,r16", "10101kkkrrrrkkkk", Op::Sts),
    f("st", "x,r", "1001001rrrrr1100", t(2), Op::StX, SRAM),
    f("st", "x+,r", "1001001rrrrr1101", t(2), Op::StXInc, SRAM),
    f("st", "-x,r", "1001001rrrrr1110", t(2), Op::StXDec, SRAM),
    f("st", "y,r", "1000001rrrrr1000", t(2), Op::StY, SRAM),
    f("st", "y+,r", "1001001rrrrr1001", t(2), Op::StYInc, SRAM),
    f("st", "-y,r", "1001001rrrrr1010", t(2), Op::StYDec, SRAM),
    f("std", "y+q,r", "10q0qq1rrrrr1qqq", t(2), Op::StY, DISPLACED),
    f("st", "z,r", "1000001rrrrr0000", t(2), Op::StZ, 0),
    f("st", "z+,r", "1001001rrrrr0001", t(2), Op::StZInc, SRAM),
    f("st", "-z,r", "1001001rrrrr0010", t(2), Op::StZDec, SRAM),
    f("std", "z+q,r", "10q0qq1rrrrr0qqq", t(2), Op::StZ, DISPLACED),
    f("lpm", "", "1001010111001000", t(3), Op::Lpm, LPM),
    f("lpm", "d,z", "1001000ddddd0100", t(3), Op::Lpm, LPMX),
    f("lpm", "d,z+", "1001000ddddd0101", t(3), Op::LpmInc, LPMZP),
    f("elpm", "", "1001010111011000", t(3), Op::Elpm, ELPM),
    f("elpm", "d,z", "1001000ddddd0110", t(3), Op::Elpm, ELPMX),
    f("elpm", "d,z+", "1001000ddddd0111", t(3), Op::ElpmInc, ELPMX),
    f("spm", "", "1001010111101000", t(1), Op::Spm, SPM),
    f("spm", "z+", "1001010111111000", t(1), Op::SpmInc, SPMX),
    f("in", "d,io6", "10110aadddddaaaa", t(1), Op::In, 0),
    f("out", "io6,r", "10111aarrrrraaaa", t(1), Op::Out, 0),
    f("push", "r", "1001001rrrrr1111", t(2), Op::Push, SRAM),
    f("pop", "d", "1001000ddddd1111", t(2), Op::Pop, SRAM),
    f("xch", "z,r", "1001001rrrrr0100", t(2), Op::Xch, RMW),
    f("las", "z,r", "1001001rrrrr0101", t(2), Op::Las, RMW),
    f("lac", "z,r", "1001001rrrrr0110", t(2), Op::Lac, RMW),
    f("lat", "z,r", "1001001rrrrr0111", t(2), Op::Lat, RMW),

    // ---- bits ----
    twice("lsl", "000011rdddddrrrr", Op::Add),
    f("lsr", "d", "1001010ddddd0110", t(1), Op::Lsr, 0),
    twice("rol", "000111rdddddrrrr", Op::Adc),
    f("ror", "d", "1001010ddddd0111", t(1), Op::Ror, 0),
    f("asr", "d", "1001010ddddd0101", t(1), Op::Asr, 0),
    f("swap", "d", "1001010ddddd0010", t(1), Op::Swap, 0),
    f("sbi", "io5,b", "10011010aaaaabbb", t(2), Op::Sbi, 0),
    f("cbi", "io5,b", "10011000aaaaabbb", t(2), Op::Cbi, 0),
    f("bst", "d,b", "1111101ddddd0bbb", t(1), Op::Bst, 0),
    f("bld", "d,b", "1111100ddddd0bbb", t(1), Op::Bld, 0),
    a("bset", "s", "100101000sss1000", t(1), Op::Sec, 0),
    a("bclr", "s", "100101001sss1000", t(1), Op::Clc, 0),
    f("sec", "", "1001010000001000", t(1), Op::Sec, 0),
    f("sez", "", "1001010000011000", t(1), Op::Sez, 0),
    f("sen", "", "1001010000101000", t(1), Op::Sen, 0),
    f("sev", "", "1001010000111000", t(1), Op::Sev, 0),
    f("ses", "", "1001010001001000", t(1), Op::Ses, 0),
    f("seh", "", "1001010001011000", t(1), Op::Seh, 0),
    f("set", "", "1001010001101000", t(1), Op::Set, 0),
    f("sei", "", "1001010001111000", t(1), Op::Sei, 0),
    f("clc", "", "1001010010001000", t(1), Op::Clc, 0),
    f("clz", "", "1001010010011000", t(1), Op::Clz, 0),
    f("cln", "", "1001010010101000", t(1), Op::Cln, 0),
    f("clv", "", "1001010010111000", t(1), Op::Clv, 0),
    f("cls", "", "1001010011001000", t(1), Op::Cls, 0),
    f("clh", "", "1001010011011000", t(1), Op::Clh, 0),
    f("clt", "", "1001010011101000", t(1), Op::Clt, 0),
    f("cli", "", "1001010011111000", t(1), Op::Cli, 0),

    // ---- control ----
    f("break", "", "1001010110011000", t(1), Op::Break, BREAK),
    f("nop", "", "0000000000000000", t(1), Op::Nop, 0),
    f("sleep", "", "1001010110001000", t(1), Op::Sleep, 0),
    f("wdr", "", "1001010110101000", t(1), Op::Wdr, 0),
];

/// The operation of a form.
#[must_use]
pub fn operation(form: u16) -> Op {
    Op::ALL[usize::from(FORMS[usize::from(form)].op)]
}
