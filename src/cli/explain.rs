//! `scrimp explain`: the page of a code.

use super::Failure;
use super::args::ExplainArgs;
use super::terminal::Terminal;
use crate::diagnostic::{codes, near::nearest};
use std::fmt::Write;

macro_rules! pages {
    ($($code:literal)*) => {
        const PAGES: &[(&str, &str)] = &[$(
            ($code, include_str!(concat!("../../docs/explain/", $code, ".md")))
        ),*];
    };
}

pages! {}

/// Prints the page of a code, or the list of codes.
pub fn explain(args: &ExplainArgs, terminal: &Terminal) -> Result<(), Failure> {
    let Some(wanted) = &args.code else {
        let mut out = String::new();
        for e in codes::ALL {
            let _ = writeln!(out, "{}  {}", e.code, e.title);
        }
        return terminal.print(&out);
    };
    let wanted = wanted.trim_start_matches("error").trim_matches(['[', ']']);
    match PAGES.iter().find(|p| p.0.eq_ignore_ascii_case(wanted)) {
        Some((_, page)) => terminal.print(page),
        None => {
            let near = nearest(wanted, PAGES.iter().map(|p| p.0));
            let hint = near.map_or(String::new(), |n| format!(", but {n}"));
            Err(Failure::Failed(format!(
                "there is no code {wanted}{hint}; `scrimp explain` lists them"
            )))
        }
    }
}
