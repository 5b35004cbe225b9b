//! The native functions of the ROMs by name: a table of addresses and clocks.
//!
//! A name tells the first ROM that has a function (`_v2`; none for all ROMs) and the clocks
//! that it takes at most. Its address is put into `sysFn`, its arguments into `sysArgs0` to
//! `sysArgs7` and vAC, and `sys` calls it with its clocks.
//!
//! Source: the interface file of the makers, names and numbers.

use std::fmt::Write;
use std::sync::LazyLock;

use super::rom::Rom;
use super::rom::feature::{CALLI, COMPARE};
use super::table::ROWS;

/// A native function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// `SYS_LSRW1_48`
    pub name: &'static str,
    /// Its address in the ROM, counted in words.
    pub address: u16,
    /// Generation of the first ROM that has it.
    pub since: u8,
    /// Generation of the last.
    pub until: u8,
    /// Clocks that it takes at most, the call of it included.
    pub clocks: u16,
}

const fn f(name: &'static str, address: u16) -> Function {
    let text = name.as_bytes();
    let (mut since, mut clocks, mut unit) = (1, 0, 1);
    // The clocks are behind the last line, a version before it.
    let mut at = text.len();
    while text[at - 1] != b'_' {
        at -= 1;
        clocks += unit * (text[at] - b'0') as u16;
        unit *= 10;
    }
    if at >= 4 && text[at - 3] == b'v' && text[at - 4] == b'_' {
        since = text[at - 2] - b'0';
    }
    Function {
        name,
        address,
        since,
        until: u8::MAX,
        clocks,
    }
}

/// Of one generation only.
const fn only(mut function: Function) -> Function {
    function.until = function.since;
    function
}

/// The functions.
#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    only(f("SYS_Multiply_s16_v6_66", 0x009e)), only(f("SYS_Divide_s16_v6_80", 0x00a1)),
    f("SYS_Multiply_s16_v7_34", 0x009e), f("SYS_Divide_u16_v7_34", 0x00a1),
    f("SYS_DoubleDabble_v7_34", 0x00e0),
    f("SYS_Exec_88", 0x00ad),
    f("SYS_ScanMemory_v6_50", 0x00e6), f("SYS_CopyMemory_v6_80", 0x00e9),
    f("SYS_CopyMemoryExt_v6_100", 0x00ec), f("SYS_ReadRomDir_v5_80", 0x00ef),
    f("SYS_Out_22", 0x00f4), f("SYS_In_24", 0x00f9),
    f("SYS_Random_34", 0x04a7), f("SYS_LSRW7_30", 0x04b9), f("SYS_LSRW8_24", 0x04c6),
    f("SYS_LSLW8_24", 0x04cd), f("SYS_Draw4_30", 0x04d4), f("SYS_VDrawBits_134", 0x04e1),
    f("SYS_LSRW1_48", 0x0600), f("SYS_LSRW2_52", 0x0619), f("SYS_LSRW3_52", 0x0636),
    f("SYS_LSRW4_50", 0x0652), f("SYS_LSRW5_50", 0x066d), f("SYS_LSRW6_48", 0x0687),
    f("SYS_LSLW4_46", 0x06a0), f("SYS_Read3_40", 0x06b9), f("SYS_Unpack_56", 0x06c0),
    f("SYS_SetMode_v2_80", 0x0b00), f("SYS_SetMemory_v2_54", 0x0b03),
    f("SYS_SendSerial1_v3_80", 0x0b06), f("SYS_ExpanderControl_v4_40", 0x0b09),
    f("SYS_Run6502_v4_80", 0x0b0c), f("SYS_ResetWaveforms_v4_50", 0x0b0f),
    f("SYS_ShuffleNoise_v4_46", 0x0b12), f("SYS_SpiExchangeBytes_v4_134", 0x0b15),
    f("SYS_ReceiveSerial1_v6_32", 0x0b18),
    f("SYS_Sprite6_v3_64", 0x0c00), f("SYS_Sprite6x_v3_64", 0x0c40),
    f("SYS_Sprite6y_v3_64", 0x0c80), f("SYS_Sprite6xy_v3_64", 0x0cc0),
];

impl Function {
    /// Whether a ROM has it.
    pub const fn is_in(&self, rom: Rom) -> bool {
        self.since <= rom.generation() && rom.generation() <= self.until
    }
}

/// Places in page 0 and beyond that the ROMs agree on.
#[rustfmt::skip]
const VARIABLES: &[(&str, u16)] = &[
    ("zeroConst", 0x00), ("memSize", 0x01), ("entropy", 0x06), ("videoY", 0x09),
    ("frameCount", 0x0e), ("serialRaw", 0x0f), ("buttonState", 0x11), ("xoutMask", 0x14),
    ("vPC", 0x16), ("vAC", 0x18), ("vACH", 0x19), ("vLR", 0x1a), ("vSP", 0x1c),
    ("romType", 0x21), ("sysFn", 0x22),
    ("sysArgs0", 0x24), ("sysArgs1", 0x25), ("sysArgs2", 0x26), ("sysArgs3", 0x27),
    ("sysArgs4", 0x28), ("sysArgs5", 0x29), ("sysArgs6", 0x2a), ("sysArgs7", 0x2b),
    ("soundTimer", 0x2c), ("ledState", 0x2e), ("oneConst", 0x80),
    ("videoTable", 0x0100), ("soundTable", 0x0700), ("screenMemory", 0x0800),
];

/// More of what the makers' interface names, for sources that take names from there.
#[rustfmt::skip]
const MORE: &[(&str, u16)] = &[
    ("romTypeValue_ROMv1", 0x1c), ("romTypeValue_ROMv2", 0x20), ("romTypeValue_ROMv3", 0x28),
    ("romTypeValue_ROMv4", 0x38), ("romTypeValue_ROMv5", 0x40), ("romTypeValue_ROMv6", 0x48),
    ("romTypeValue_DEVROM", 0xf8),
    ("vPCL", 0x16), ("vPCH", 0x17), ("vACL", 0x18), ("vLRL", 0x1a), ("vLRH", 0x1b),
    ("channelMask_v4", 0x21), ("ledState_v2", 0x2e), ("ledTempo", 0x2f),
    ("userVars", 0x30), ("userVars_v4", 0x30), ("userVars_v5", 0x36), ("userVars_v6", 0x36),
    ("userVars2", 0x81),
    ("v6502_PC", 0x1a), ("v6502_PCL", 0x1a), ("v6502_PCH", 0x1b), ("v6502_A", 0x18),
    ("v6502_X", 0x2a), ("v6502_Y", 0x2b),
    ("vReset", 0x01f0), ("vIRQ_v5", 0x01f6), ("ctrlBits_v5", 0x01f8), ("videoTop_v5", 0x01f9),
    ("userCode", 0x0200), ("vIRQ_Return", 0x0400), ("qqVgaWidth", 160), ("qqVgaHeight", 120),
    ("channel1", 0x0100), ("channel2", 0x0200), ("channel3", 0x0300), ("channel4", 0x0400),
    ("wavA", 250), ("wavX", 251), ("keyL", 252), ("keyH", 253), ("oscL", 254), ("oscH", 255),
    ("buttonRight", 1), ("buttonLeft", 2), ("buttonDown", 4), ("buttonUp", 8),
    ("buttonStart", 16), ("buttonSelect", 32), ("buttonB", 64), ("buttonA", 128),
    ("maxTicks", 14), ("font32up", 0x0700), ("font82up", 0x0800), ("notesTable", 0x0900),
    ("invTable", 0x0a00),
];

/// The page of the ROM whose word of the same number begins an instruction.
const DISPATCH: u64 = 0x0300;

/// Names of instructions, worth their opcode and that page; of a branch, its two bytes.
fn instructions() -> Vec<(String, u64)> {
    let mut out = Vec::new();
    for row in ROWS {
        let form = &row.form;
        let (word, name) = (form.pattern.fixed, form.name.to_ascii_uppercase());
        match (form.needs, form.name) {
            _ if form.alias => {}
            (0, "halt") => out.push((name, word)),
            (0, branch) if branch.starts_with('b') && branch != "bra" => {
                out.push((
                    branch[1..].to_ascii_uppercase(),
                    DISPATCH | word >> 8 & 0xff,
                ));
                if out.iter().all(|o| o.0 != "BCC") {
                    out.push(("BCC".to_owned(), DISPATCH | word & 0xff));
                }
            }
            (0, _) => out.push((name, DISPATCH | word & 0xff)),
            (CALLI | COMPARE, _) => out.push((format!("{name}_v5"), DISPATCH | word & 0xff)),
            _ => {}
        }
    }
    out
}

/// All that the makers' interface names, as a source file.
pub fn interface() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut text = String::from("; Names of the ROMs' interface.\n");
        for (name, value) in VARIABLES.iter().chain(MORE) {
            let _ = writeln!(text, "{name}: equ ${value:04x}");
        }
        for function in FUNCTIONS {
            let _ = writeln!(text, "{}: equ ${:04x}", function.name, function.address);
        }
        for (name, value) in instructions() {
            let _ = writeln!(text, "{name}: equ ${value:04x}");
        }
        text
    });
    &TEXT
}

/// Source files by ROM.
type Files = Vec<(&'static str, &'static str)>;

/// The files of a ROM: what it has, by names; a function that it lacks is an error at the
/// line that calls it.
pub fn library(rom: Rom) -> &'static [(&'static str, &'static str)] {
    static ALL: LazyLock<Vec<Files>> = LazyLock::new(|| Rom::ALL.map(files).into());
    let at = Rom::ALL.iter().position(|&r| r == rom).unwrap_or(0);
    &ALL[at]
}

fn files(rom: Rom) -> Files {
    let mut text = String::from(
        "; Names of what the ROM has. `syscall(SYS_Draw4_30)` calls a function; vAC is lost\n\
         ; on the way, so an argument there needs the three instructions by hand.\n",
    );
    for (name, address) in VARIABLES {
        let _ = writeln!(text, "{name}: equ ${address:02x}");
    }
    text.push_str("userVars: equ ");
    let _ = writeln!(
        text,
        "${:02x}",
        if rom.generation() < 5 { 0x30 } else { 0x36 }
    );
    for function in FUNCTIONS.iter().filter(|f| f.is_in(rom)) {
        let Function {
            name,
            address,
            clocks,
            ..
        } = function;
        let _ = writeln!(
            text,
            "{name}: equ ${address:04x}\nclocks_of_{name}: equ {clocks}"
        );
    }
    text.push_str(
        "        macro syscall(function)\n        ldwi function\n        stw sysFn\n        \
         sys clocks_of_##function\n        endm\n",
    );
    vec![("gigatron/sys.asm", text.leak())]
}

/// The function that a name is, or the name of its clocks.
fn function(name: &str) -> Option<&'static Function> {
    let name = name.strip_prefix("clocks_of_").unwrap_or(name);
    FUNCTIONS.iter().find(|f| f.name == name)
}

/// Whether the file of a ROM has a name.
pub fn has(rom: Rom, name: &str) -> bool {
    let variable = || VARIABLES.iter().any(|v| v.0 == name) || name == "syscall";
    function(name).map_or_else(variable, |f| f.is_in(rom))
}

/// Which ROM has a function that this one lacks.
pub fn elsewhere(rom: Rom, name: &str) -> Option<String> {
    let function = function(name).filter(|f| !f.is_in(rom))?;
    let first = Rom::ALL.into_iter().find(|&r| function.is_in(r))?;
    let which = match function.until {
        u8::MAX => "the first with it",
        _ => "the one with it",
    };
    let name = first.name();
    let machine = name.to_ascii_lowercase();
    Some(format!("ROM {name} is {which}: `--machine vcpu-{machine}`"))
}

/// The function at an address.
pub fn at(rom: Rom, address: u16) -> Option<&'static Function> {
    FUNCTIONS
        .iter()
        .find(|f| f.address == address && f.is_in(rom))
}
