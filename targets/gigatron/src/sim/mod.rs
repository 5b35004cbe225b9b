//! The simulator: the CPU, the monitor on its video port, the pads and keyboards on
//! its input port.
//!
//! [`Cpu`] executes the one meaning in [`crate::semantics`] with numbers, a clock an
//! instruction. What it is connected to is a [`Ports`], statically dispatched, so
//! [`Bare`] costs nothing; [`Console`] is the machine as it stands on a desk.

mod console;
mod cpu;
mod input;
mod picture;
mod sync;
mod watch;

pub use console::Console;
pub use cpu::{Bare, Cpu, Memory, Ports};
pub use input::{Button, Input};
pub use picture::{COLUMNS, LINES, Picture};
pub use sync::{Bad, BadKind, Sync, Timing};
pub use watch::Watch;

/// hSync in OUT, low while the beam goes back.
pub const HSYNC: u8 = 0x40;
/// vSync in OUT, low at the start of a frame.
pub const VSYNC: u8 = 0x80;
