//! A machine under power, with everything printed on the way.

use super::args::MachineArgs;
use super::failure::Failure;
use super::job;
use super::program;
use super::terminal::Terminal;
use crate::session::find::Found;
use crate::session::power::{Power, Running, power_on_binary};

/// Assembles or reads a program and starts its machine.
pub fn power_on(args: &MachineArgs, terminal: &Terminal) -> Result<Running, Failure> {
    let power = Power {
        rom: args.rom.clone(),
        map: args.map.clone(),
        tape: args.tape,
    };
    match program::find(&args.program, terminal)? {
        Found::Program(mut program) => {
            let built = job::build(&mut program, terminal)?;
            let running = program.power_on_with(&built, &power);
            let running = running.map_err(|r| built.refused(r, terminal))?;
            terminal.findings(&running.warnings, &built.sources);
            Ok(running)
        }
        Found::Binary(binary) => {
            if let Some(text) = &binary.assumed {
                terminal.say(text);
            }
            power_on_binary(binary, &power).map_err(|r| terminal.refused(r))
        }
    }
}

/// Prints the promises that the program did not keep; fails if there are any.
pub fn keep_promises(running: &Running, terminal: &Terminal) -> Result<(), Failure> {
    let broken = running.broken_promises();
    if broken.is_empty() {
        return Ok(());
    }
    terminal.findings(&broken, &running.sources);
    Err(Failure::Findings)
}
