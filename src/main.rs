//! The `scrimp` command.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    scrimp::cli::main()
}
