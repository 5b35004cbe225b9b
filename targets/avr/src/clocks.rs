//! How many clocks each form takes on each core.
//!
//! The instruction table has the column of AVRe; here is what the others do otherwise.
//! Times are for data in internal SRAM: from an I/O register AVRxm loads a clock
//! faster, from flash AVRrc a clock slower. Source: Microchip DS40002198, the table
//! of each instruction.

use scrimp_isa::{Cycles, Form};

use crate::op::Op;

pub use crate::devices::Core;

impl Core {
    /// Whether registers and I/O stand in the first addresses of data memory.
    pub const fn maps_registers(self) -> bool {
        matches!(self, Self::Avr | Self::AvrE | Self::AvrEPlus)
    }

    /// Whether RETI sets I and an interrupt clears it. On AVRxm and AVRxt the
    /// interrupt controller keeps levels instead.
    pub const fn reti_sets_i(self) -> bool {
        !matches!(self, Self::AvrXm | Self::AvrXt)
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
        Op::Sbic | Op::Sbis if core == Core::AvrXm => Cycles::Skip {
            none: 2,
            one: 3,
            two: 4,
        },
        // There is nothing of two words to skip.
        Op::Cpse | Op::Sbrc | Op::Sbrs | Op::Sbic | Op::Sbis if core == Core::AvrRc => {
            Cycles::Skip {
                none: 1,
                one: 2,
                two: 2,
            }
        }
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
        Core::Avr | Core::AvrE | Core::AvrEPlus => columns[0],
        Core::AvrXm => columns[1],
        Core::AvrXt => columns[2],
        Core::AvrRc => columns[3],
    }
}
