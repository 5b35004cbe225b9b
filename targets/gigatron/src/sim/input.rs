//! The game controller and the keyboard: shift registers in series.
//!
//! A pad holds eight buttons in a register that loads while vSync is high and shifts
//! at each rising edge of hSync while it is low. The Gigatron's own register shifts
//! at the same edge and shows its bits one edge later, so eight edges in the pulse
//! and one more bring the buttons to the input port. A keyboard adapter looks like a
//! pad that holds an ASCII code for three frames.

use std::collections::VecDeque;

/// Frames that an adapter holds a code, and then none.
const HOLD: u32 = 3;
/// Typed keys that wait; more are lost.
const MOST_WAITING: usize = 256;

/// Buttons of a pad by their bits; a pressed one is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Button {
    Right = 0x01,
    Left = 0x02,
    Down = 0x04,
    Up = 0x08,
    Start = 0x10,
    Select = 0x20,
    B = 0x40,
    A = 0x80,
}

impl Button {
    /// All of them by their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("RIGHT", Self::Right),
        ("LEFT", Self::Left),
        ("DOWN", Self::Down),
        ("UP", Self::Up),
        ("START", Self::Start),
        ("SELECT", Self::Select),
        ("B", Self::B),
        ("A", Self::A),
    ];
}

/// What is plugged in, and the register behind the input port.
#[derive(Clone, Debug)]
pub struct Input {
    /// Buttons down.
    buttons: u8,
    /// Codes on their way, and frames left for the first.
    typed: VecDeque<u8>,
    left: u32,
    /// The pad's register.
    pad: u8,
    /// The Gigatron's register and what it shows.
    shift: u8,
    port: u8,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            buttons: 0,
            typed: VecDeque::new(),
            left: 0,
            pad: 0xff,
            shift: 0xff,
            port: 0xff,
        }
    }
}

impl Input {
    /// Presses or releases a button.
    pub fn button(&mut self, button: Button, down: bool) {
        if down {
            self.buttons |= button as u8;
        } else {
            self.buttons &= !(button as u8);
        }
    }

    /// Types a code.
    pub fn typed(&mut self, code: u8) {
        if self.typed.len() < MOST_WAITING {
            self.typed.push_back(code);
        }
    }

    /// The input port.
    #[inline(always)]
    pub fn port(&self) -> u8 {
        self.port
    }

    /// What the pad or adapter has on its lines.
    fn lines(&self) -> u8 {
        match self.typed.front() {
            Some(&code) if self.left > HOLD => code & !self.buttons,
            _ => !self.buttons,
        }
    }

    /// hSync rises; vSync is as it was before.
    pub fn clock(&mut self, vsync: bool) {
        let bit = self.pad >> 7;
        self.port = self.shift;
        self.shift = self.shift << 1 | bit;
        if vsync {
            self.pad = self.lines();
        } else {
            self.pad = self.pad << 1 | 1;
        }
    }

    /// vSync falls: what is on the lines is caught.
    pub fn latch(&mut self) {
        // A code stays for some frames and is followed by as many without one, so
        // that two equal ones are two.
        if self.left > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.typed.pop_front();
            }
        } else if !self.typed.is_empty() {
            self.left = 2 * HOLD;
        }
        self.pad = self.lines();
    }
}
