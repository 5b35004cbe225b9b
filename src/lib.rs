//! scrimp: assembles, lays out, accounts for every byte and runs the result.
//!
//! Every stage is a function of the previous one's immutable output; the core
//! does no input or output and prints nothing (`docs/ARCHITECTURE.md`).
//!
//! [`Session`] is the front: a program is opened, assembled, written and run by it, by
//! the command line and by whoever uses the library. From a text to bytes, and who has
//! them:
//!
//! ```
//! let text = "        org 0\nstart:  ld a,5\nwait:   jump wait\n";
//! let build = scrimp::Session::of_text(text).assemble();
//! let image = build.image().expect("a program without errors");
//! assert_eq!(image.binary(0xff), [0x3e, 5, 0x18, 0xfe]);
//! assert_eq!(image.symbol("wait").map(|s| s.value), Some(2));
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "bridge")]
pub mod bridge;
pub mod check;
pub mod diagnostic;
pub mod dialect;
pub mod disk;
pub mod emit;
pub mod image;
pub mod optimize;
pub mod place;
pub mod program;
mod prove;
pub mod read;
pub mod report;
pub mod session;
pub mod targets;
pub mod text;
pub mod translate;
pub mod write;

#[cfg(feature = "cli")]
pub mod cli;

pub use read::job::{Define, Job};
pub use session::assemble::{Linking, Output, Settings};
pub use session::explained::{assemble, assemble_by, assemble_linked, assemble_with};
pub use session::front::Session;
pub use session::pass::Pass;
