//! `scrimp size`: which section and routine uses how many bytes.

use super::Failure;
use super::args::SizeArgs;
use super::{job, program, terminal::Terminal};

/// Prints the sizes of a program.
pub fn size(args: &SizeArgs, terminal: &Terminal) -> Result<(), Failure> {
    let program = program::find_source(&args.program, terminal)?;
    let built = job::build(&program, terminal)?;
    terminal.print(&format!("{} bytes\n", built.image.len()))
}
