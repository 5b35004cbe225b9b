//! The parts of an opcode byte, `ooo mmm bb`: operation, mode, bus. The modes of a
//! jump are its conditions.

/// Operation of jumps and branches.
pub const JUMP: u8 = 7;
/// Operation that stores.
pub const STORE: u8 = 6;
/// Bus with the operand byte.
pub const OPERAND: u8 = 0;
/// Bus with a byte of RAM.
pub const RAM: u8 = 1;
/// Bus with the accumulator.
pub const AC: u8 = 2;
/// Bus with the input port.
pub const IN: u8 = 3;

/// An opcode byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opcode(pub u8);

impl Opcode {
    /// From its parts.
    pub const fn new(operation: u8, mode: u8, bus: u8) -> Self {
        Self(operation << 5 | (mode & 7) << 2 | bus & 3)
    }

    /// What is done: 0 to 5 load, and, or, exclusive or, add, subtract; 6 store, 7
    /// jump.
    pub const fn operation(self) -> u8 {
        self.0 >> 5
    }

    /// Address and destination, or condition of a jump.
    pub const fn mode(self) -> u8 {
        self.0 >> 2 & 7
    }

    /// Where the data comes from.
    pub const fn bus(self) -> u8 {
        self.0 & 3
    }

    /// A jump to a page in Y.
    pub const fn is_far_jump(self) -> bool {
        self.operation() == JUMP && self.mode() == 0
    }

    /// A jump or branch of any kind.
    pub const fn is_jump(self) -> bool {
        self.operation() == JUMP
    }

    /// A branch that depends on AC.
    pub const fn is_conditional(self) -> bool {
        self.operation() == JUMP && self.mode() != 0 && self.mode() != 7
    }

    /// A store with RAM on the bus: a command to the expander, where there is one.
    pub const fn is_control(self) -> bool {
        self.operation() == STORE && self.bus() == RAM
    }

    /// The opcode that the makers' listings print the same text for, and that their
    /// assembler makes of it: where RAM is not on the bus they know one of modes 0
    /// to 3, and not whether X is counted while OUT is loaded.
    pub const fn listed(self) -> Self {
        let plain = match (self.operation(), self.mode(), self.bus()) {
            (JUMP, mode, _) => mode,
            (STORE, 6, _) => 0,
            (STORE, mode, _) => mode,
            (_, mode, RAM) => mode,
            (_, 0..=3, _) => 0,
            (_, 7, _) => 6,
            (_, mode, _) => mode,
        };
        Self::new(self.operation(), plain, self.bus())
    }

    /// Whether the operand byte has an effect.
    pub const fn uses_operand(self) -> bool {
        let addressed = matches!(self.mode(), 0 | 2 | 4..=6);
        match (self.operation(), self.bus()) {
            (_, OPERAND) => true,
            (JUMP, bus) => bus == RAM,
            (STORE, _) => addressed,
            (_, bus) => bus == RAM && addressed,
        }
    }
}
