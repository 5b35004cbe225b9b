//! The instruction table of the Z80: one row a form, grouped as in Zilog's
//! manual. Where two rows share a text the first is the one that assembles.
//!
//! Letters in the patterns: `r` `s` registers, `p` `q` pairs, `y` IX or IY, `u`
//! the half of an index register (one bit in the prefix, one in the opcode), `b`
//! bit, `c` condition, `t` restart, `n` immediate, `d` displacement, `e` branch.
//!
//! A name that starts with `*` cannot be written: such rows are second encodings
//! and holes. They execute and take their time, and a disassembler prints them
//! as `db`.
//!
//! Sources: Zilog UM0080; Sean Young, "The Undocumented Z80 Documented".

use scrimp_isa::{Cycles, Form, Pattern};

use crate::op::Op;
use crate::spellings;

/// Every form: those of the maker's manual and, behind them, other spellings of them.
pub static FORMS: &[Form] = &JOINED;

static JOINED: [Form; ROWS.len() + spellings::ROWS.len()] = {
    let mut all = [ROWS[0]; ROWS.len() + spellings::ROWS.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = match i < ROWS.len() {
            true => ROWS[i],
            false => spellings::ROWS[i - ROWS.len()],
        };
        i += 1;
    }
    all
};

/// Always the same number of T-states.
const fn t(n: u8) -> Cycles {
    Cycles::Fixed(n)
}

/// T-states of a branch taken and not taken.
const fn br(taken: u8, not_taken: u8) -> Cycles {
    Cycles::Branch { taken, not_taken }
}

/// T-states of a step that repeats and of the last one.
const fn rep(again: u8, last: u8) -> Cycles {
    Cycles::Repeat { again, last }
}

/// A documented form.
const fn f(
    name: &'static str,
    operands: &'static str,
    pattern: &str,
    cycles: Cycles,
    op: Op,
) -> Form {
    Form {
        name,
        operands,
        pattern: Pattern::bytes(pattern),
        cycles,
        op: op as u16,
        documented: true,
        alias: false,
        needs: 0,
        spelling: "",
    }
}

/// An undocumented form.
const fn u(
    name: &'static str,
    operands: &'static str,
    pattern: &str,
    cycles: Cycles,
    op: Op,
) -> Form {
    Form {
        documented: false,
        ..f(name, operands, pattern, cycles, op)
    }
}

/// Another spelling of a documented form.
const fn a(
    name: &'static str,
    operands: &'static str,
    pattern: &str,
    cycles: Cycles,
    op: Op,
) -> Form {
    Form {
        alias: true,
        ..f(name, operands, pattern, cycles, op)
    }
}

/// Another spelling of an undocumented form.
const fn ua(
    name: &'static str,
    operands: &'static str,
    pattern: &str,
    cycles: Cycles,
    op: Op,
) -> Form {
    Form {
        alias: true,
        ..u(name, operands, pattern, cycles, op)
    }
}

/// A second encoding or a hole: undocumented and without a text.
const fn d(
    name: &'static str,
    operands: &'static str,
    pattern: &str,
    cycles: Cycles,
    op: Op,
) -> Form {
    u(name, operands, pattern, cycles, op)
}

/// The feature of the Z80N, the processor of the Spectrum Next.
pub const Z80N: u32 = 1;

/// A form that only the Z80N has.
const fn z(name: &'static str, operands: &'static str, pattern: &str, cycles: Cycles) -> Form {
    Form {
        needs: Z80N,
        ..f(name, operands, pattern, cycles, Op::Foreign)
    }
}

/// Another spelling of one.
const fn za(name: &'static str, operands: &'static str, pattern: &str, cycles: Cycles) -> Form {
    Form {
        alias: true,
        ..z(name, operands, pattern, cycles)
    }
}

/// Every form as the maker spells it, and as assemblers for its CPU do.
#[rustfmt::skip]
const ROWS: &[Form] = &[
    // ---- 8-bit loads ----
    f("ld", "r,s", "01rrrsss", t(4), Op::LdRR),
    f("ld", "r,n", "00rrr110 nnnnnnnn", t(7), Op::LdRN),
    f("ld", "r,(hl)", "01rrr110", t(7), Op::LdRM),
    f("ld", "(hl),s", "01110sss", t(7), Op::LdMR),
    f("ld", "(hl),n", "00110110 nnnnnnnn", t(10), Op::LdMN),
    f("ld", "a,(bc)", "00001010", t(7), Op::LdAP),
    f("ld", "a,(de)", "00011010", t(7), Op::LdAP),
    f("ld", "(bc),a", "00000010", t(7), Op::LdPA),
    f("ld", "(de),a", "00010010", t(7), Op::LdPA),
    f("ld", "a,(nn)", "00111010 nnnnnnnn nnnnnnnn", t(13), Op::LdAW),
    f("ld", "(nn),a", "00110010 nnnnnnnn nnnnnnnn", t(13), Op::LdWA),
    f("ld", "a,i", "11101101 01010111", t(9), Op::LdAI),
    f("ld", "a,refresh", "11101101 01011111", t(9), Op::LdAR),
    f("ld", "i,a", "11101101 01000111", t(9), Op::LdIA),
    f("ld", "refresh,a", "11101101 01001111", t(9), Op::LdRA),
    f("ld", "r,(ix+d)", "11y11101 01rrr110 dddddddd", t(19), Op::LdRM),
    f("ld", "(ix+d),s", "11y11101 01110sss dddddddd", t(19), Op::LdMR),
    f("ld", "(ix+d),n", "11y11101 00110110 dddddddd nnnnnnnn", t(19), Op::LdXN),
    u("ld", "r5,half", "11u11101 01rrr10u", t(8), Op::LdRR),
    u("ld", "half,s5", "11u11101 0110usss", t(8), Op::LdRR),
    u("ld", "high,high", "11y11101 01100100", t(8), Op::LdRR),
    u("ld", "high,low", "11y11101 01100101", t(8), Op::LdRR),
    u("ld", "low,high", "11y11101 01101100", t(8), Op::LdRR),
    u("ld", "low,low", "11y11101 01101101", t(8), Op::LdRR),
    u("ld", "half,n", "11u11101 0010u110 nnnnnnnn", t(11), Op::LdRN),

    // ---- 16-bit loads ----
    f("ld", "p,nn", "00pp0001 nnnnnnnn nnnnnnnn", t(10), Op::LdPN),
    f("ld", "hl,(nn)", "00101010 nnnnnnnn nnnnnnnn", t(16), Op::LdPW),
    f("ld", "(nn),hl", "00100010 nnnnnnnn nnnnnnnn", t(16), Op::LdWP),
    f("ld", "p,(nn)", "11101101 01pp1011 nnnnnnnn nnnnnnnn", t(20), Op::LdPW),
    f("ld", "(nn),p", "11101101 01pp0011 nnnnnnnn nnnnnnnn", t(20), Op::LdWP),
    f("ld", "sp,hl", "11111001", t(6), Op::LdSp),
    f("push", "q", "11qq0101", t(11), Op::Push),
    f("pop", "q", "11qq0001", t(10), Op::Pop),
    f("ld", "ix,nn", "11y11101 00100001 nnnnnnnn nnnnnnnn", t(14), Op::LdPN),
    f("ld", "ix,(nn)", "11y11101 00101010 nnnnnnnn nnnnnnnn", t(20), Op::LdPW),
    f("ld", "(nn),ix", "11y11101 00100010 nnnnnnnn nnnnnnnn", t(20), Op::LdWP),
    f("ld", "sp,ix", "11y11101 11111001", t(10), Op::LdSp),
    f("push", "ix", "11y11101 11100101", t(15), Op::Push),
    f("pop", "ix", "11y11101 11100001", t(14), Op::Pop),

    // ---- exchange, block transfer and search ----
    f("ex", "de,hl", "11101011", t(4), Op::ExDeHl),
    f("ex", "af,af'", "00001000", t(4), Op::ExAf),
    a("ex", "af,af", "00001000", t(4), Op::ExAf),
    f("exx", "", "11011001", t(4), Op::Exx),
    f("ex", "(sp),hl", "11100011", t(19), Op::ExSp),
    f("ex", "(sp),ix", "11y11101 11100011", t(23), Op::ExSp),
    f("ldi", "", "11101101 10100000", t(16), Op::Ldi),
    f("ldir", "", "11101101 10110000", rep(21, 16), Op::Ldir),
    f("ldd", "", "11101101 10101000", t(16), Op::Ldd),
    f("lddr", "", "11101101 10111000", rep(21, 16), Op::Lddr),
    f("cpi", "", "11101101 10100001", t(16), Op::Cpi),
    f("cpir", "", "11101101 10110001", rep(21, 16), Op::Cpir),
    f("cpd", "", "11101101 10101001", t(16), Op::Cpd),
    f("cpdr", "", "11101101 10111001", rep(21, 16), Op::Cpdr),
    f("ini", "", "11101101 10100010", t(16), Op::Ini),
    f("inir", "", "11101101 10110010", rep(21, 16), Op::Inir),
    f("ind", "", "11101101 10101010", t(16), Op::Ind),
    f("indr", "", "11101101 10111010", rep(21, 16), Op::Indr),
    f("outi", "", "11101101 10100011", t(16), Op::Outi),
    f("otir", "", "11101101 10110011", rep(21, 16), Op::Otir),
    f("outd", "", "11101101 10101011", t(16), Op::Outd),
    f("otdr", "", "11101101 10111011", rep(21, 16), Op::Otdr),

    // ---- 8-bit arithmetic and logic ----
    f("add", "a,s", "10000sss", t(4), Op::AddR),
    a("add", "s", "10000sss", t(4), Op::AddR),
    f("add", "a,n", "11000110 nnnnnnnn", t(7), Op::AddN),
    a("add", "n", "11000110 nnnnnnnn", t(7), Op::AddN),
    f("add", "a,(hl)", "10000110", t(7), Op::AddM),
    a("add", "(hl)", "10000110", t(7), Op::AddM),
    f("add", "a,(ix+d)", "11y11101 10000110 dddddddd", t(19), Op::AddM),
    a("add", "(ix+d)", "11y11101 10000110 dddddddd", t(19), Op::AddM),
    u("add", "a,half", "11u11101 1000010u", t(8), Op::AddR),
    ua("add", "half", "11u11101 1000010u", t(8), Op::AddR),
    f("adc", "a,s", "10001sss", t(4), Op::AdcR),
    a("adc", "s", "10001sss", t(4), Op::AdcR),
    f("adc", "a,n", "11001110 nnnnnnnn", t(7), Op::AdcN),
    a("adc", "n", "11001110 nnnnnnnn", t(7), Op::AdcN),
    f("adc", "a,(hl)", "10001110", t(7), Op::AdcM),
    a("adc", "(hl)", "10001110", t(7), Op::AdcM),
    f("adc", "a,(ix+d)", "11y11101 10001110 dddddddd", t(19), Op::AdcM),
    a("adc", "(ix+d)", "11y11101 10001110 dddddddd", t(19), Op::AdcM),
    u("adc", "a,half", "11u11101 1000110u", t(8), Op::AdcR),
    ua("adc", "half", "11u11101 1000110u", t(8), Op::AdcR),
    f("sub", "s", "10010sss", t(4), Op::SubR),
    a("sub", "a,s", "10010sss", t(4), Op::SubR),
    f("sub", "n", "11010110 nnnnnnnn", t(7), Op::SubN),
    a("sub", "a,n", "11010110 nnnnnnnn", t(7), Op::SubN),
    f("sub", "(hl)", "10010110", t(7), Op::SubM),
    a("sub", "a,(hl)", "10010110", t(7), Op::SubM),
    f("sub", "(ix+d)", "11y11101 10010110 dddddddd", t(19), Op::SubM),
    a("sub", "a,(ix+d)", "11y11101 10010110 dddddddd", t(19), Op::SubM),
    u("sub", "half", "11u11101 1001010u", t(8), Op::SubR),
    ua("sub", "a,half", "11u11101 1001010u", t(8), Op::SubR),
    f("sbc", "a,s", "10011sss", t(4), Op::SbcR),
    a("sbc", "s", "10011sss", t(4), Op::SbcR),
    f("sbc", "a,n", "11011110 nnnnnnnn", t(7), Op::SbcN),
    a("sbc", "n", "11011110 nnnnnnnn", t(7), Op::SbcN),
    f("sbc", "a,(hl)", "10011110", t(7), Op::SbcM),
    a("sbc", "(hl)", "10011110", t(7), Op::SbcM),
    f("sbc", "a,(ix+d)", "11y11101 10011110 dddddddd", t(19), Op::SbcM),
    a("sbc", "(ix+d)", "11y11101 10011110 dddddddd", t(19), Op::SbcM),
    u("sbc", "a,half", "11u11101 1001110u", t(8), Op::SbcR),
    ua("sbc", "half", "11u11101 1001110u", t(8), Op::SbcR),
    f("and", "s", "10100sss", t(4), Op::AndR),
    a("and", "a,s", "10100sss", t(4), Op::AndR),
    f("and", "n", "11100110 nnnnnnnn", t(7), Op::AndN),
    a("and", "a,n", "11100110 nnnnnnnn", t(7), Op::AndN),
    f("and", "(hl)", "10100110", t(7), Op::AndM),
    a("and", "a,(hl)", "10100110", t(7), Op::AndM),
    f("and", "(ix+d)", "11y11101 10100110 dddddddd", t(19), Op::AndM),
    a("and", "a,(ix+d)", "11y11101 10100110 dddddddd", t(19), Op::AndM),
    u("and", "half", "11u11101 1010010u", t(8), Op::AndR),
    ua("and", "a,half", "11u11101 1010010u", t(8), Op::AndR),
    f("xor", "s", "10101sss", t(4), Op::XorR),
    a("xor", "a,s", "10101sss", t(4), Op::XorR),
    f("xor", "n", "11101110 nnnnnnnn", t(7), Op::XorN),
    a("xor", "a,n", "11101110 nnnnnnnn", t(7), Op::XorN),
    f("xor", "(hl)", "10101110", t(7), Op::XorM),
    a("xor", "a,(hl)", "10101110", t(7), Op::XorM),
    f("xor", "(ix+d)", "11y11101 10101110 dddddddd", t(19), Op::XorM),
    a("xor", "a,(ix+d)", "11y11101 10101110 dddddddd", t(19), Op::XorM),
    u("xor", "half", "11u11101 1010110u", t(8), Op::XorR),
    ua("xor", "a,half", "11u11101 1010110u", t(8), Op::XorR),
    f("or", "s", "10110sss", t(4), Op::OrR),
    a("or", "a,s", "10110sss", t(4), Op::OrR),
    f("or", "n", "11110110 nnnnnnnn", t(7), Op::OrN),
    a("or", "a,n", "11110110 nnnnnnnn", t(7), Op::OrN),
    f("or", "(hl)", "10110110", t(7), Op::OrM),
    a("or", "a,(hl)", "10110110", t(7), Op::OrM),
    f("or", "(ix+d)", "11y11101 10110110 dddddddd", t(19), Op::OrM),
    a("or", "a,(ix+d)", "11y11101 10110110 dddddddd", t(19), Op::OrM),
    u("or", "half", "11u11101 1011010u", t(8), Op::OrR),
    ua("or", "a,half", "11u11101 1011010u", t(8), Op::OrR),
    f("cp", "s", "10111sss", t(4), Op::CpR),
    a("cp", "a,s", "10111sss", t(4), Op::CpR),
    f("cp", "n", "11111110 nnnnnnnn", t(7), Op::CpN),
    a("cp", "a,n", "11111110 nnnnnnnn", t(7), Op::CpN),
    f("cp", "(hl)", "10111110", t(7), Op::CpM),
    a("cp", "a,(hl)", "10111110", t(7), Op::CpM),
    f("cp", "(ix+d)", "11y11101 10111110 dddddddd", t(19), Op::CpM),
    a("cp", "a,(ix+d)", "11y11101 10111110 dddddddd", t(19), Op::CpM),
    u("cp", "half", "11u11101 1011110u", t(8), Op::CpR),
    ua("cp", "a,half", "11u11101 1011110u", t(8), Op::CpR),
    f("inc", "r", "00rrr100", t(4), Op::IncR),
    f("inc", "(hl)", "00110100", t(11), Op::IncM),
    f("inc", "(ix+d)", "11y11101 00110100 dddddddd", t(23), Op::IncM),
    u("inc", "half", "11u11101 0010u100", t(8), Op::IncR),
    f("dec", "r", "00rrr101", t(4), Op::DecR),
    f("dec", "(hl)", "00110101", t(11), Op::DecM),
    f("dec", "(ix+d)", "11y11101 00110101 dddddddd", t(23), Op::DecM),
    u("dec", "half", "11u11101 0010u101", t(8), Op::DecR),
    f("daa", "", "00100111", t(4), Op::Daa),
    f("cpl", "", "00101111", t(4), Op::Cpl),
    f("neg", "", "11101101 01000100", t(8), Op::Neg),
    f("scf", "", "00110111", t(4), Op::Scf),
    f("ccf", "", "00111111", t(4), Op::Ccf),

    // ---- 16-bit arithmetic ----
    f("add", "hl,p", "00pp1001", t(11), Op::AddP),
    f("adc", "hl,p", "11101101 01pp1010", t(15), Op::AdcP),
    f("sbc", "hl,p", "11101101 01pp0010", t(15), Op::SbcP),
    f("add", "ix,p4", "11y11101 00pp1001", t(15), Op::AddP),
    f("add", "ix,ix", "11y11101 00101001", t(15), Op::AddP),
    f("inc", "p", "00pp0011", t(6), Op::IncP),
    f("dec", "p", "00pp1011", t(6), Op::DecP),
    f("inc", "ix", "11y11101 00100011", t(10), Op::IncP),
    f("dec", "ix", "11y11101 00101011", t(10), Op::DecP),

    // ---- rotate and shift ----
    f("rlca", "", "00000111", t(4), Op::Rlca),
    f("rrca", "", "00001111", t(4), Op::Rrca),
    f("rla", "", "00010111", t(4), Op::Rla),
    f("rra", "", "00011111", t(4), Op::Rra),
    f("rlc", "s", "11001011 00000sss", t(8), Op::RlcR),
    f("rlc", "(hl)", "11001011 00000110", t(15), Op::RlcM),
    f("rlc", "(ix+d)", "11y11101 11001011 dddddddd 00000110", t(23), Op::RlcM),
    u("rlc", "(ix+d),s", "11y11101 11001011 dddddddd 00000sss", t(23), Op::RlcC),
    f("rrc", "s", "11001011 00001sss", t(8), Op::RrcR),
    f("rrc", "(hl)", "11001011 00001110", t(15), Op::RrcM),
    f("rrc", "(ix+d)", "11y11101 11001011 dddddddd 00001110", t(23), Op::RrcM),
    u("rrc", "(ix+d),s", "11y11101 11001011 dddddddd 00001sss", t(23), Op::RrcC),
    f("rl", "s", "11001011 00010sss", t(8), Op::RlR),
    f("rl", "(hl)", "11001011 00010110", t(15), Op::RlM),
    f("rl", "(ix+d)", "11y11101 11001011 dddddddd 00010110", t(23), Op::RlM),
    u("rl", "(ix+d),s", "11y11101 11001011 dddddddd 00010sss", t(23), Op::RlC),
    f("rr", "s", "11001011 00011sss", t(8), Op::RrR),
    f("rr", "(hl)", "11001011 00011110", t(15), Op::RrM),
    f("rr", "(ix+d)", "11y11101 11001011 dddddddd 00011110", t(23), Op::RrM),
    u("rr", "(ix+d),s", "11y11101 11001011 dddddddd 00011sss", t(23), Op::RrC),
    f("sla", "s", "11001011 00100sss", t(8), Op::SlaR),
    f("sla", "(hl)", "11001011 00100110", t(15), Op::SlaM),
    f("sla", "(ix+d)", "11y11101 11001011 dddddddd 00100110", t(23), Op::SlaM),
    u("sla", "(ix+d),s", "11y11101 11001011 dddddddd 00100sss", t(23), Op::SlaC),
    f("sra", "s", "11001011 00101sss", t(8), Op::SraR),
    f("sra", "(hl)", "11001011 00101110", t(15), Op::SraM),
    f("sra", "(ix+d)", "11y11101 11001011 dddddddd 00101110", t(23), Op::SraM),
    u("sra", "(ix+d),s", "11y11101 11001011 dddddddd 00101sss", t(23), Op::SraC),
    u("sll", "s", "11001011 00110sss", t(8), Op::SllR),
    u("sll", "(hl)", "11001011 00110110", t(15), Op::SllM),
    u("sll", "(ix+d)", "11y11101 11001011 dddddddd 00110110", t(23), Op::SllM),
    u("sll", "(ix+d),s", "11y11101 11001011 dddddddd 00110sss", t(23), Op::SllC),
    ua("sl1", "s", "11001011 00110sss", t(8), Op::SllR),
    ua("sl1", "(hl)", "11001011 00110110", t(15), Op::SllM),
    ua("sl1", "(ix+d)", "11y11101 11001011 dddddddd 00110110", t(23), Op::SllM),
    ua("sl1", "(ix+d),s", "11y11101 11001011 dddddddd 00110sss", t(23), Op::SllC),
    ua("sli", "s", "11001011 00110sss", t(8), Op::SllR),
    ua("sli", "(hl)", "11001011 00110110", t(15), Op::SllM),
    ua("sli", "(ix+d)", "11y11101 11001011 dddddddd 00110110", t(23), Op::SllM),
    ua("sli", "(ix+d),s", "11y11101 11001011 dddddddd 00110sss", t(23), Op::SllC),
    f("srl", "s", "11001011 00111sss", t(8), Op::SrlR),
    f("srl", "(hl)", "11001011 00111110", t(15), Op::SrlM),
    f("srl", "(ix+d)", "11y11101 11001011 dddddddd 00111110", t(23), Op::SrlM),
    u("srl", "(ix+d),s", "11y11101 11001011 dddddddd 00111sss", t(23), Op::SrlC),
    f("rld", "", "11101101 01101111", t(18), Op::Rld),
    f("rrd", "", "11101101 01100111", t(18), Op::Rrd),

    // ---- bits ----
    f("bit", "b,s", "11001011 01bbbsss", t(8), Op::BitR),
    f("bit", "b,(hl)", "11001011 01bbb110", t(12), Op::BitM),
    f("bit", "b,(ix+d)", "11y11101 11001011 dddddddd 01bbb110", t(20), Op::BitM),
    f("res", "b,s", "11001011 10bbbsss", t(8), Op::ResR),
    f("res", "b,(hl)", "11001011 10bbb110", t(15), Op::ResM),
    f("res", "b,(ix+d)", "11y11101 11001011 dddddddd 10bbb110", t(23), Op::ResM),
    u("res", "b,(ix+d),s", "11y11101 11001011 dddddddd 10bbbsss", t(23), Op::ResC),
    f("set", "b,s", "11001011 11bbbsss", t(8), Op::SetR),
    f("set", "b,(hl)", "11001011 11bbb110", t(15), Op::SetM),
    f("set", "b,(ix+d)", "11y11101 11001011 dddddddd 11bbb110", t(23), Op::SetM),
    u("set", "b,(ix+d),s", "11y11101 11001011 dddddddd 11bbbsss", t(23), Op::SetC),

    // ---- jumps, calls and returns ----
    f("jp", "nn", "11000011 nnnnnnnn nnnnnnnn", t(10), Op::Jp),
    f("jp", "cc,nn", "11ccc010 nnnnnnnn nnnnnnnn", t(10), Op::JpC),
    f("jp", "(hl)", "11101001", t(4), Op::JpP),
    a("jp", "hl", "11101001", t(4), Op::JpP),
    f("jp", "(ix)", "11y11101 11101001", t(8), Op::JpP),
    a("jp", "ix", "11y11101 11101001", t(8), Op::JpP),
    f("jr", "e", "00011000 eeeeeeee", t(12), Op::Jr),
    f("jr", "c4,e", "001cc000 eeeeeeee", br(12, 7), Op::JrC),
    f("djnz", "e", "00010000 eeeeeeee", br(13, 8), Op::Djnz),
    f("call", "nn", "11001101 nnnnnnnn nnnnnnnn", t(17), Op::Call),
    f("call", "cc,nn", "11ccc100 nnnnnnnn nnnnnnnn", br(17, 10), Op::CallC),
    f("ret", "", "11001001", t(10), Op::Ret),
    f("ret", "cc", "11ccc000", br(11, 5), Op::RetC),
    f("reti", "", "11101101 01001101", t(14), Op::Retn),
    f("retn", "", "11101101 01000101", t(14), Op::Retn),
    f("rst", "t", "11ttt111", t(11), Op::Rst),

    // ---- input and output ----
    f("in", "a,(n)", "11011011 nnnnnnnn", t(11), Op::InA),
    f("out", "(n),a", "11010011 nnnnnnnn", t(11), Op::OutA),
    f("in", "r,(c)", "11101101 01rrr000", t(12), Op::InC),
    f("out", "(c),r", "11101101 01rrr001", t(12), Op::OutC),
    u("in", "f,(c)", "11101101 01110000", t(12), Op::InF),
    ua("in", "(c)", "11101101 01110000", t(12), Op::InF),
    u("out", "(c),0", "11101101 01110001", t(12), Op::OutZ),
    ua("out", "(c)", "11101101 01110001", t(12), Op::OutZ),

    // ---- control ----
    f("nop", "", "00000000", t(4), Op::Nop),
    f("halt", "", "01110110", t(4), Op::Halt),
    f("di", "", "11110011", t(4), Op::Di),
    f("ei", "", "11111011", t(4), Op::Ei),
    f("im", "0", "11101101 01000110", t(8), Op::Im),
    f("im", "1", "11101101 01010110", t(8), Op::Im),
    f("im", "2", "11101101 01011110", t(8), Op::Im),

    // ---- what has no text of its own ----
    // An index prefix before an opcode that does not use HL, and before another prefix.
    d("*prefix", "", "11y11101", t(4), Op::Prefix),
    // The unused ED space.
    d("*nop", "", "11101101 nnnnnnnn", t(8), Op::Nop),
    // ED copies of the loads of HL.
    d("*ld", "", "11101101 01101011 nnnnnnnn nnnnnnnn", t(20), Op::LdPW),
    d("*ld", "", "11101101 01100011 nnnnnnnn nnnnnnnn", t(20), Op::LdWP),
    // Copies of NEG, RETN and IM.
    d("*neg", "", "11101101 01001100", t(8), Op::Neg),
    d("*neg", "", "11101101 01010100", t(8), Op::Neg),
    d("*neg", "", "11101101 01011100", t(8), Op::Neg),
    d("*neg", "", "11101101 01100100", t(8), Op::Neg),
    d("*neg", "", "11101101 01101100", t(8), Op::Neg),
    d("*neg", "", "11101101 01110100", t(8), Op::Neg),
    d("*neg", "", "11101101 01111100", t(8), Op::Neg),
    d("*retn", "", "11101101 01010101", t(14), Op::Retn),
    d("*retn", "", "11101101 01011101", t(14), Op::Retn),
    d("*retn", "", "11101101 01100101", t(14), Op::Retn),
    d("*retn", "", "11101101 01101101", t(14), Op::Retn),
    d("*retn", "", "11101101 01110101", t(14), Op::Retn),
    d("*retn", "", "11101101 01111101", t(14), Op::Retn),
    d("*im", "", "11101101 01001110", t(8), Op::Im),
    d("*im", "", "11101101 01100110", t(8), Op::Im),
    d("*im", "", "11101101 01101110", t(8), Op::Im),
    d("*im", "", "11101101 01110110", t(8), Op::Im),
    d("*im", "", "11101101 01111110", t(8), Op::Im),
    // BIT with a register field that nothing uses.
    d("*bit", "", "11y11101 11001011 dddddddd 01bbbsss", t(20), Op::BitM),

    // ---- the Z80N ----
    // Source: the extended instructions as the Spectrum Next's documentation lists them.
    z("swapnib", "", "11101101 00100011", t(8)),
    za("swapnib", "a", "11101101 00100011", t(8)),
    z("mirror", "a", "11101101 00100100", t(8)),
    za("mirror", "", "11101101 00100100", t(8)),
    z("test", "n", "11101101 00100111 nnnnnnnn", t(11)),
    z("bsla", "de,=b", "11101101 00101000", t(8)),
    z("bsra", "de,=b", "11101101 00101001", t(8)),
    z("bsrl", "de,=b", "11101101 00101010", t(8)),
    z("bsrf", "de,=b", "11101101 00101011", t(8)),
    z("brlc", "de,=b", "11101101 00101100", t(8)),
    z("mul", "=d,=e", "11101101 00110000", t(8)),
    za("mul", "de", "11101101 00110000", t(8)),
    za("mul", "", "11101101 00110000", t(8)),
    z("add", "hl,a", "11101101 00110001", t(8)),
    z("add", "de,a", "11101101 00110010", t(8)),
    z("add", "=bc,a", "11101101 00110011", t(8)),
    z("add", "hl,nn", "11101101 00110100 nnnnnnnn nnnnnnnn", t(16)),
    z("add", "de,nn", "11101101 00110101 nnnnnnnn nnnnnnnn", t(16)),
    z("add", "=bc,nn", "11101101 00110110 nnnnnnnn nnnnnnnn", t(16)),
    // The high byte comes first.
    Form {
        pattern: Pattern::parse("11101101 10001010 nnnnnnnn nnnnnnnn", 8, false),
        ..z("push", "nn", "11101101 10001010 nnnnnnnn nnnnnnnn", t(23))
    },
    z("outinb", "", "11101101 10010000", t(16)),
    z("nextreg", "k,n", "11101101 10010001 kkkkkkkk nnnnnnnn", t(20)),
    z("nextreg", "k,a", "11101101 10010010 kkkkkkkk", t(17)),
    z("pixeldn", "", "11101101 10010011", t(8)),
    za("pixeldn", "hl", "11101101 10010011", t(8)),
    z("pixelad", "", "11101101 10010100", t(8)),
    za("pixelad", "hl", "11101101 10010100", t(8)),
    z("setae", "", "11101101 10010101", t(8)),
    z("jp", "(c)", "11101101 10011000", t(13)),
    z("ldix", "", "11101101 10100100", t(16)),
    z("ldws", "", "11101101 10100101", t(14)),
    z("lddx", "", "11101101 10101100", t(16)),
    z("ldirx", "", "11101101 10110100", rep(21, 16)),
    z("ldpirx", "", "11101101 10110111", rep(21, 16)),
    z("lddrx", "", "11101101 10111100", rep(21, 16)),
];
