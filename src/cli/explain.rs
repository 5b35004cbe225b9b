//! `scrimp explain`: the page of a code, the warnings of a group.

use super::args::ExplainArgs;
use super::failure::Failure;
use super::terminal::Terminal;
use crate::diagnostic::{codes, near::nearest};
use crate::optimize::passes::about;
use std::fmt::Write;

macro_rules! pages {
    ($($code:literal)*) => {
        const PAGES: &[(&str, &str)] = &[$(
            ($code, include_str!(concat!("../../docs/explain/", $code, ".md")))
        ),*];
    };
}

pages! {
    "E0001" "E0002" "E0003" "E0010" "E0011" "E0012" "E0013" "E0014"
    "E0015" "E0020" "E0021" "E0022" "E0023" "E0024" "E0025" "E0026" "E0027" "E0028" "E0029" "E0030" "E0031"
    "E0032" "E0033" "E0034" "E0035" "E0040" "E0041" "E0042" "E0043"
    "E0044" "E0050" "E0051" "E0052" "E0053" "E0054" "E0055" "E0060" "E0061" "E0062" "E0063" "E0064" "E0065"
    "E0070" "E0080" "E0090" "E0100" "W0001" "W0002" "W0003" "W0004" "W0005" "W0006" "W0007" "W0008" "W0009" "W0010" "W0011"
    "W0012" "W0013" "W0014" "W0015"
    "W0020" "W0021" "N0001" "N0002"
}

/// Whether there is a page of a code.
pub fn knows(code: &str) -> bool {
    PAGES.iter().any(|p| p.0.eq_ignore_ascii_case(code))
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
    let page = entry.and_then(|e| Some((e, PAGES.iter().find(|p| p.0 == e.code)?)));
    match page {
        Some((e, (_, page))) => terminal.print(&format!("{page}{}", naming(e.name))),
        None => {
            if let Some(page) = super::rules::page(wanted) {
                return terminal.print(&page);
            }
            let names = codes::warnings().map(|e| e.name);
            let names = names.chain(codes::GROUPS.iter().map(|g| g.0));
            let rules = about::ALL.iter().map(|a| a.name);
            let names = names.chain(rules);
            let near = nearest(wanted, PAGES.iter().map(|p| p.0).chain(names));
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
        let codes: Vec<&str> = codes::ALL.iter().map(|e| e.code).collect();
        let pages: Vec<&str> = PAGES.iter().map(|p| p.0).collect();
        assert_eq!(codes, pages);
        for (entry, (code, page)) in codes::ALL.iter().zip(PAGES) {
            let title = format!("# {code}: {}\n", entry.title);
            assert!(
                page.starts_with(&title),
                "{code}.md does not start with {title}"
            );
        }
    }
}
