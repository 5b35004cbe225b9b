//! `scrimp check`: assembles and checks budgets, writing nothing.

use super::Failure;
use super::args::CheckArgs;
use super::{job, program, terminal::Terminal};

/// Checks a program.
pub fn check(args: &CheckArgs, terminal: &Terminal) -> Result<(), Failure> {
    let program = program::find_source(&args.program, terminal)?;
    job::build(&program, terminal)?;
    Ok(())
}
