//! How many clocks each form takes on each core.
//!
//! The instruction table has the column of AVRe; here is what the others do otherwise.
//! Times are for data in internal SRAM: from an I/O register AVRxm loads a clock
//! faster, from flash AVRrc a clock slower. Source: Microchip DS40002198, the table of each instruction.

use scrimp_isa::{Cycles, Form};

use crate::op::Op;

/// The cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Core {
    /// The original of 1995.
    Avr,
    /// With MOVW and LPM to any register.
    Avre,
    /// With MUL.
    AvrePlus,
    /// XMEGA.
    Avrxm,
    /// tinyAVR 0 to 2, megaAVR 0, AVR Dx and Ex.
    Avrxt,
    /// The reduced core of ATtiny4 to 10, 20, 40, 102 and 104.
    Avrrc,
}

impl Core {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Avr,
        Self::Avre,
        Self::AvrePlus,
        Self::Avrxm,
        Self::Avrxt,
        Self::Avrrc,
    ];

    /// Its name in the manual.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avr => "AVR",
            Self::Avre => "AVRe",
            Self::AvrePlus => "AVRe+",
            Self::Avrxm => "AVRxm",
            Self::Avrxt => "AVRxt",
            Self::Avrrc => "AVRrc",
        }
    }

    /// The core of that name in any case.
    pub fn named(name: &str) -> Option<Self> {
        let all = Self::ALL.into_iter();
        all.into_iter()
            .find(|c| c.name().eq_ignore_ascii_case(name))
    }

    /// Whether registers and I/O stand in the first addresses of data memory.
    pub const fn maps_registers(self) -> bool {
        matches!(self, Self::Avr | Self::Avre | Self::AvrePlus)
    }

    /// Whether RETI sets I and an interrupt clears it. On AVRxm and AVRxt the
    /// interrupt controller keeps levels instead.
    pub const fn reti_sets_i(self) -> bool {
        !matches!(self, Self::Avrxm | Self::Avrxt)
    }
}

/// Clocks of a form on a core. `wide` says that the program counter has 22 bits, so
/// that a return address is of three bytes.
pub fn cycles(form: &Form, core: Core, wide: bool) -> Cycles {
    use Cycles::Fixed;
    let op = Op::ALL[usize::from(form.op)];
    let more = u8::from(wide);
    match op {
        Op::Rcall | Op::Icall => Fixed(more + pick(core, [3, 2, 2, 3])),
        Op::Eicall => Fixed(pick(core, [4, 3, 3, 4])),
        Op::Call => Fixed(more + pick(core, [4, 3, 3, 4])),
        Op::Ret | Op::Reti => Fixed(more + pick(core, [4, 4, 4, 6])),
        Op::Sbic | Op::Sbis if core == Core::Avrxm => Cycles::Skip {
            none: 2,
            one: 3,
            two: 4,
        },
        Op::Sbi | Op::Cbi | Op::Push => Fixed(pick(core, [2, 1, 1, 1])),
        Op::Pop => Fixed(pick(core, [2, 2, 2, 3])),
        Op::Lds => Fixed(pick(core, [2, 3, 3, 1])),
        Op::LdX | Op::LdY | Op::LdZ if form.name == "ld" => Fixed(pick(core, [2, 2, 2, 1])),
        Op::LdXInc | Op::LdYInc | Op::LdZInc => Fixed(2),
        Op::LdXDec | Op::LdYDec | Op::LdZDec | Op::LdY | Op::LdZ => Fixed(pick(core, [2, 3, 2, 2])),
        Op::Sts => Fixed(pick(core, [2, 2, 2, 1])),
        Op::StX | Op::StY | Op::StZ if form.name == "st" => Fixed(pick(core, [2, 1, 1, 1])),
        Op::StXInc | Op::StYInc | Op::StZInc => Fixed(pick(core, [2, 1, 1, 1])),
        Op::StXDec | Op::StYDec | Op::StZDec => Fixed(pick(core, [2, 2, 1, 2])),
        Op::StY | Op::StZ => Fixed(pick(core, [2, 2, 1, 1])),
        _ => form.cycles,
    }
}

/// The column of a core: AVR to AVRe+, AVRxm, AVRxt, AVRrc.
const fn pick(core: Core, columns: [u8; 4]) -> u8 {
    match core {
        Core::Avr | Core::Avre | Core::AvrePlus => columns[0],
        Core::Avrxm => columns[1],
        Core::Avrxt => columns[2],
        Core::Avrrc => columns[3],
    }
}
