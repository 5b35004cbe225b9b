//! `scrimp help`, `completions` and `man`: what the command tells of itself.

use super::args::{Cli, CompletionsArgs, ExplainArgs, HelpArgs, ManArgs};
use super::failure::Failure;
use super::terminal::Terminal;
use super::{explain, program};
use crate::diagnostic::near::nearest;
use crate::session::names::unknown;
use clap::CommandFactory;
use scrimp_isa::Packed;
use std::fmt::Write as _;

/// The pages of the manual, in order.
const PAGES: &[Packed] = include!(concat!(env!("OUT_DIR"), "/manual.rs"));

/// Shows a page of the manual, the help of a command, or the page of a code.
pub fn help(args: &HelpArgs, terminal: &Terminal) -> Result<(), Failure> {
    let Some(topic) = &args.topic else {
        return overview(terminal);
    };
    let wanted = topic.to_lowercase();
    let mut cli = Cli::command();
    cli.build();
    if let Some(command) = cli.find_subcommand_mut(&wanted) {
        let text = command.render_long_help();
        return match terminal.color {
            true => terminal.print_styled(&text.ansi().to_string()),
            false => terminal.print(&text.to_string()),
        };
    }
    let page = |name: &str| PAGES.iter().find(|p| p.name == name);
    let of_dialect = format!("dialect-{wanted}");
    let plain = wanted.replace(['.', '_', ' '], "-");
    if let Some(page) = page(&plain).or_else(|| page(&of_dialect)) {
        return terminal.print(&page.text());
    }
    let explained = ExplainArgs {
        code: Some(topic.clone()),
    };
    if explain::knows(topic) {
        return explain::explain(&explained, terminal);
    }
    let commands: Vec<&str> = cli.get_subcommands().map(|c| c.get_name()).collect();
    let names = PAGES.iter().map(|p| p.name).chain(commands.iter().copied());
    let hint = nearest(&wanted, names).map_or(String::new(), |n| format!("; is {n} meant?"));
    Err(Failure::Failed(format!(
        "there is no page on {topic}{hint}; `scrimp help` lists all"
    )))
}

/// The commands and the pages.
fn overview(terminal: &Terminal) -> Result<(), Failure> {
    let mut out = Cli::command().render_help().to_string();
    out.push_str("\nPages of the manual, for `scrimp help PAGE`:\n");
    for (name, text) in Packed::texts(PAGES) {
        let title = text.lines().next().unwrap_or("").trim_start_matches("# ");
        let _ = writeln!(out, "  {name:<18} {title}");
    }
    out.push_str("\n`scrimp explain` lists the codes of findings.\n");
    terminal.print(&out)
}

/// Prints what a shell reads to complete commands.
pub fn completions(args: &CompletionsArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "scrimp", &mut out);
    terminal.print(&String::from_utf8_lossy(&out))
}

/// Prints or writes the pages for `man`.
pub fn man(args: &ManArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut cli = Cli::command();
    cli.build();
    let pages: Vec<(String, Vec<u8>)> = std::iter::once(&cli)
        .chain(cli.get_subcommands())
        .filter(|c| args.command.as_deref().is_none_or(|w| w == c.get_name()))
        .map(|c| page(c, c.get_name() == cli.get_name()))
        .collect::<Result<_, _>>()?;
    if pages.is_empty() {
        let wanted = args.command.as_deref().unwrap_or_default();
        let names: Vec<&str> = cli.get_subcommands().map(|c| c.get_name()).collect();
        let why = unknown("command", wanted, names.iter().copied());
        return Err(Failure::Failed(why));
    }
    let Some(folder) = &args.output else {
        let all: Vec<_> = pages
            .iter()
            .map(|p| String::from_utf8_lossy(&p.1))
            .collect();
        return terminal.print(&all.concat());
    };
    let files: Vec<_> = pages
        .into_iter()
        .map(|(name, text)| (folder.join(format!("{name}.1")), text))
        .collect();
    program::write(&files, &[], None)
}

/// Name and text of a page.
fn page(command: &clap::Command, top: bool) -> Result<(String, Vec<u8>), String> {
    let name = match top {
        true => command.get_name().to_owned(),
        false => format!("scrimp-{}", command.get_name()),
    };
    let mut text = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render(&mut text).map_err(|e| e.to_string())?;
    Ok((name, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_there() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/manual");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().path())
            .map(|p| p.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        there.sort();
        let listed: Vec<&str> = PAGES.iter().map(|p| p.name).collect();
        assert_eq!(there, listed);
        assert!(PAGES.iter().all(|p| p.text().starts_with("# ")));
    }
}
