//! The command line: the only part that prints or touches files.
//!
//! Exit codes: 0 good, 1 findings in the source, 2 wrong usage or a failed read or
//! write, 3 a byte budget exceeded.

mod advice;
mod args;
mod beside;
mod bridge;
mod build;
mod check;
mod contest;
mod depfile;
mod disasm;
mod dump;
mod explain;
mod failure;
mod git;
mod help;
mod improve;
mod job;
mod new;
mod pixels;
mod play;
mod power;
mod program;
mod progress;
mod refused;
mod rules;
mod rules_search;
mod run;
mod screen;
mod signals;
mod size;
mod targets;
mod terminal;
mod test;
mod translate;
mod watch;

use args::{Cli, Command, MessageFormat, When};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;
use terminal::Terminal;

/// Runs the command with the process's arguments.
pub fn main() -> ExitCode {
    let given = args::like_gcc(std::env::args_os());
    let cli = match Cli::of_build(&given).map_or_else(|| Cli::try_parse_from(given), Ok) {
        Ok(cli) => cli,
        Err(e) => {
            Terminal::new(When::Auto, MessageFormat::Human).usage(&e);
            return ExitCode::from(e.exit_code() as u8);
        }
    };
    let terminal = Terminal::new(cli.messages.color, cli.messages.message_format);
    let done = match cli.command {
        Command::New(args) => new::new(&args, &terminal),
        Command::Build(args) => build::build(&args, &terminal),
        Command::Optimize(args) => improve::improve(&args, &terminal),
        Command::Check(args) => check::check(&args, &terminal),
        Command::Play(args) => play::play(&args, &terminal),
        Command::Run(args) => run::run(&args, &terminal),
        Command::Test(args) => test::test(&args, &terminal),
        Command::Bridge(args) => bridge::bridge(&args, &terminal),
        Command::Match(args) => contest::contest(&args, &terminal),
        Command::Size(args) => size::size(&args, &terminal),
        Command::Disasm(args) => disasm::disasm(&args, &terminal),
        Command::Translate(args) => translate::translate(&args, &terminal),
        Command::Dump(args) => dump::dump(&args, &terminal),
        Command::Explain(args) => explain::explain(&args, &terminal),
        Command::Rules(args) => rules::rules(&args, &terminal),
        Command::Targets => targets::targets(&terminal),
        Command::Help(args) => help::help(&args, &terminal),
        Command::Completions(args) => help::completions(&args, &terminal),
        Command::Man(args) => help::man(&args, &terminal),
    };
    let code = match done {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Findings) => ExitCode::from(1),
        Err(Failure::Failed(message)) => {
            terminal.failure(&message);
            ExitCode::from(2)
        }
        Err(Failure::Budget) => ExitCode::from(3),
    };
    terminal.finish();
    code
}
