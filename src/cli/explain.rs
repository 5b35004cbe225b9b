//! `scrimp explain`: the page of a code, the warnings of a group.

use super::args::ExplainArgs;
use super::failure::Failure;
use super::terminal::Terminal;
use crate::diagnostic::{codes, near::nearest};
use crate::optimize::passes::about;
use scrimp_isa::Packed;
use std::fmt::Write;

/// The pages of the codes, in order.
const PAGES: &[Packed] = include!(concat!(env!("OUT_DIR"), "/explain.rs"));

/// Whether there is a page of a code.
pub fn knows(code: &str) -> bool {
    PAGES.iter().any(|p| p.name.eq_ignore_ascii_case(code))
}

/// Prints the page of a code, or the list of codes.
pub fn explain(args: &ExplainArgs, terminal: &Terminal) -> Result<(), Failure> {
    let Some(wanted) = &args.code else {
        let mut out = String::new();
        for e in codes::ALL {
            let name = match e.name {
                "" => String::new(),
                n => format!(" ({n})"),
            };
            let _ = writeln!(out, "{}  {}{name}", e.code, e.title);
        }
        return terminal.print(&out);
    };
    let wanted = wanted.trim_start_matches("error").trim_matches(['[', ']']);
    if let Some(text) = group(wanted) {
        return terminal.print(&text);
    }
    let entry = codes::find(wanted);
    let page = entry.and_then(|e| Some((e, PAGES.iter().find(|p| p.name == e.code)?)));
    match page {
        Some((e, page)) => terminal.print(&format!("{}{}", page.text(), naming(e.name))),
        None => {
            if let Some(page) = super::rules::page(wanted) {
                return terminal.print(&page);
            }
            let names = codes::warnings().map(|e| e.name);
            let names = names.chain(codes::GROUPS.iter().map(|g| g.0));
            let rules = about::ALL.iter().map(|a| a.name);
            let names = names.chain(rules);
            let near = nearest(wanted, PAGES.iter().map(|p| p.name).chain(names));
            let hint = near.map_or(String::new(), |n| format!(", but {n}"));
            Err(Failure::Failed(format!(
                "there is no code or name {wanted}{hint}; `scrimp explain` lists them"
            )))
        }
    }
}

/// What can be done by the name of a warning.
fn naming(name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    let groups = codes::GROUPS.iter();
    let groups: String = groups
        .filter(|g| g.1.iter().any(|c| codes::name(c) == name))
        .map(|g| format!(" It belongs to the group `{}`.", g.0))
        .collect();
    format!(
        "\n## Name\n\n`{name}`: `-W no-{name}` silences it, `--deny {name}` makes it an error.{groups}\n"
    )
}

/// The warnings of a group, if it is one.
fn group(wanted: &str) -> Option<String> {
    let of: Vec<_> = match wanted == codes::WARNINGS {
        true => codes::warnings().collect(),
        false => {
            let (_, of) = codes::GROUPS.iter().find(|g| g.0 == wanted)?;
            of.iter().filter_map(|c| codes::find(c)).collect()
        }
    };
    let mut out = format!("The warnings of the group `{wanted}`:\n\n");
    for e in of {
        let _ = writeln!(out, "{}  {}: {}", e.code, e.name, e.title);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_page() {
        let mut codes: Vec<&str> = codes::ALL.iter().map(|e| e.code).collect();
        codes.sort_unstable();
        let pages: Vec<&str> = PAGES.iter().map(|p| p.name).collect();
        assert_eq!(codes, pages);
        for entry in codes::ALL {
            let page = PAGES.iter().find(|p| p.name == entry.code).unwrap();
            let title = format!("# {}: {}\n", entry.code, entry.title);
            assert!(
                page.text().starts_with(&title),
                "{}.md does not start with {title}",
                entry.code
            );
        }
    }
}
