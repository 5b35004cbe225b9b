//! Findings of one cause as one finding.

use crate::diagnostic::{Diagnostic, Level, codes};
use crate::read::hints::elsewhere::{DEFINES_IT, NO_FUNCTION, NO_FUNCTIONS, READ_AS};
use crate::text::source::Sources;

/// Names that a note lists.
const MOST_NAMES: usize = 8;

/// Makes one finding of a file that is missing and the names that it may define, and one of
/// names that one include file would define.
pub fn gather(diagnostics: &mut Vec<Diagnostic>, left_out: &mut [usize; 3], sources: &Sources) {
    // What a file of bytes lacks is no name.
    let names = |d: &Diagnostic| {
        let line = d.span.map_or("", |s| {
            let source = sources.get(s.source);
            source.line(source.line_column(s.start).0)
        });
        !line.to_ascii_lowercase().contains("incbin")
    };
    let missing =
        |d: &Diagnostic| d.code == codes::FILE_MISSING && d.level == Level::Error && names(d);
    let says = |d: &Diagnostic| d.help.as_deref().is_some_and(|h| h.contains(READ_AS));
    let mut all = diagnostics.iter();
    if let Some(d) = all.find(|d| missing(d) && says(d)) {
        *diagnostics = vec![d.clone()];
        *left_out = [0; 3];
        return;
    }
    if let Some(at) = diagnostics.iter().position(missing) {
        let mut list: Vec<String> = Vec::new();
        for d in diagnostics.iter().filter(|d| may_follow(d)) {
            let name = d.span.map_or("", |s| sources.slice(s)).to_owned();
            if !list.contains(&name) {
                list.push(name);
            }
        }
        if !list.is_empty() {
            let note = format!("not defined without it: {}", named(&list));
            diagnostics[at].notes.push(note);
            diagnostics.retain(|d| !may_follow(d));
        }
    }
    one_include(diagnostics, sources);
}

/// Whether a finding is on a symbol, function, macro or instruction that a missing file may
/// define: nothing else is known of its name.
fn may_follow(d: &Diagnostic) -> bool {
    let help = d.help.as_deref();
    let device = help.is_some_and(|h| h.ends_with(DEFINES_IT));
    match d.code {
        codes::UNKNOWN_SYMBOL => help.is_none() || device,
        codes::UNKNOWN_INSTRUCTION => help.is_none(),
        codes::SYNTAX => {
            let plain = help.is_none_or(|h| h == NO_FUNCTIONS) || device;
            d.message.starts_with(NO_FUNCTION) && plain
        }
        _ => false,
    }
}

/// Makes one finding of names that one include file would define.
fn one_include(diagnostics: &mut Vec<Diagnostic>, sources: &Sources) {
    // By what is told: the finding that stays, its name first, and the names of the others.
    let mut first: Vec<(String, usize, Vec<String>)> = Vec::new();
    let mut kept: Vec<Diagnostic> = Vec::new();
    for d in std::mem::take(diagnostics) {
        let help = d.help.as_deref().filter(|h| h.ends_with(DEFINES_IT));
        let name = d.span.map_or("", |s| sources.slice(s)).to_owned();
        let before = help.and_then(|h| first.iter_mut().find(|f| f.0 == h));
        match (before, help) {
            (Some((.., names)), _) if !names.contains(&name) => names.push(name),
            (Some(_), _) => {}
            (None, Some(help)) => {
                first.push((help.to_owned(), kept.len(), vec![name]));
                kept.push(d);
            }
            (None, None) => kept.push(d),
        }
    }
    for (_, i, names) in first.into_iter().filter(|f| f.2.len() > 1) {
        let note = format!("the same holds for {}", named(&names[1..]));
        kept[i].notes.push(note);
    }
    *diagnostics = kept;
}

/// Some of these names.
fn named(names: &[String]) -> String {
    let shown: Vec<_> = names
        .iter()
        .take(MOST_NAMES)
        .map(|n| format!("`{n}`"))
        .collect();
    let more = match names.len() - shown.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("{}{more}", shown.join(", "))
}
