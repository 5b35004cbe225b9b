//! Limits on bytes: checking them, and saying who uses the bytes.
//!
//! A budget names `total`, a section, a plain label, whose routine it limits, or a
//! region or address space. Of one name that several have the first in this order is
//! meant.

use super::diff::{Change, Changes, Key};
use super::{RoutineSize, SectionSize, Sizes, percent, signed};
use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::text::thousands;
use crate::diagnostic::{Diagnostic, codes, near::nearest};
use crate::image::origin::{pieces, section_name};
use crate::image::{Budget, Image, SymbolKind};
use crate::program::limits;
use crate::text::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::fmt::Write;

/// Rows of the ranked list in a finding.
const MOST: usize = 8;

/// What a budget limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The whole image.
    Total,
    /// A section.
    Section,
    /// A routine.
    Routine,
    /// A region, or an address space.
    Region,
}

/// A budget with what is used of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// What it limits.
    pub kind: Kind,
    /// The routine whose bytes count, where that is another label at the same
    /// address.
    pub measured: Option<String>,
    /// Bytes used.
    pub used: u64,
    /// Most bytes.
    pub limit: u64,
    /// Bytes free; 0 when it is exceeded.
    pub free: u64,
    /// Bytes too many.
    pub over: u64,
    /// Bytes more than in the last good build.
    pub change: Option<i64>,
    /// Where it is declared.
    #[serde(skip)]
    pub span: Option<Span>,
}

impl Check {
    /// Whether it holds.
    pub fn holds(&self) -> bool {
        self.over == 0
    }
}

/// Checks budgets. `before` is the report of the last good build.
///
/// # Errors
/// A finding for each budget that names nothing.
pub fn check(
    image: &Image,
    sizes: &Sizes,
    budgets: &[Budget],
    before: Option<&Sizes>,
) -> Result<Vec<Check>, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    let mut checks = Vec::new();
    let names = Names::of(image);
    let now = Measures::of(sizes);
    let then = before.map(Measures::of);
    // What is compared in search of names that were meant is bounded.
    let mut compared = 0;
    for b in budgets {
        let Some((kind, measured)) = names.resolve(image, &b.name) else {
            if faults.len() < MAX_FINDINGS {
                let hint = compared < limits::COMPARED;
                compared += image.symbols.len() + image.sections.len();
                faults.push(unknown(image, b, hint));
            }
            continue;
        };
        let name = measured.as_deref().unwrap_or(&b.name);
        let used = now.measure(&kind, name);
        checks.push(Check {
            name: b.name.clone(),
            used,
            limit: b.limit,
            free: b.limit.saturating_sub(used),
            over: used.saturating_sub(b.limit),
            change: then
                .as_ref()
                .map(|s| used as i64 - s.measure(&kind, name) as i64),
            kind,
            measured,
            span: b.span,
        });
    }
    if faults.is_empty() {
        Ok(checks)
    } else {
        Err(faults)
    }
}

/// What the names of an image mean, found once for all budgets.
struct Names<'a> {
    sections: FxHashSet<&'a str>,
    /// The first label of each name.
    labels: FxHashMap<&'a str, u32>,
    /// Labels that have bytes.
    owners: FxHashSet<u32>,
    /// The owner of the first piece at an address of a section.
    at: FxHashMap<(u32, u64), u32>,
}

impl<'a> Names<'a> {
    fn of(image: &'a Image) -> Self {
        let mut labels = FxHashMap::default();
        for (i, s) in image.symbols.iter().enumerate() {
            if s.kind == SymbolKind::Label {
                labels.entry(&*s.name).or_insert(i as u32);
            }
        }
        let mut owners = FxHashSet::default();
        let mut at = FxHashMap::default();
        for p in pieces(image) {
            if owners.insert(p.run.owner) {
                at.entry((p.chunk.section, p.address()))
                    .or_insert(p.run.owner);
            }
        }
        Self {
            sections: image.sections.iter().map(|s| s.name.as_str()).collect(),
            labels,
            owners,
            at,
        }
    }

    /// What a name means, and the label that has the bytes if it is another.
    fn resolve(&self, image: &Image, name: &str) -> Option<(Kind, Option<String>)> {
        if name == "total" {
            return Some((Kind::Total, None));
        }
        if self.sections.contains(name) {
            return Some((Kind::Section, None));
        }
        let Some(&i) = self.labels.get(name) else {
            let region = image.regions.iter().any(|r| r.name == name);
            let space = image.spaces.len() > 1 && image.spaces.iter().any(|s| s.name == name);
            return (region || space).then_some((Kind::Region, None));
        };
        if self.owners.contains(&i) {
            return Some((Kind::Routine, None));
        }
        // `a:` and `b:` at one place: the bytes belong to `b`.
        let label = &image.symbols[i as usize];
        let place = label.address.map(|a| (label.section, a));
        let owner = place.and_then(|p| self.at.get(&p));
        let owner = owner
            .and_then(|&o| image.symbols.get(o as usize))
            .filter(|o| o.value == label.value);
        match owner {
            Some(o) => Some((Kind::Routine, Some(o.name.to_string()))),
            // A local label has no routine of its own.
            None if label.local => None,
            None => Some((Kind::Routine, None)),
        }
    }
}

/// Sums of a report by name.
struct Measures<'a> {
    sizes: &'a Sizes,
    sections: FxHashMap<&'a str, u64>,
    routines: FxHashMap<&'a str, u64>,
}

impl<'a> Measures<'a> {
    fn of(sizes: &'a Sizes) -> Self {
        let (mut sections, mut routines) = (FxHashMap::default(), FxHashMap::default());
        for s in &sizes.sections {
            *sections.entry(s.name.as_str()).or_default() += s.total;
        }
        for r in &sizes.routines {
            if let Some(name) = &r.name {
                *routines.entry(name.as_str()).or_default() += r.total;
            }
        }
        Self {
            sizes,
            sections,
            routines,
        }
    }

    fn measure(&self, kind: &Kind, name: &str) -> u64 {
        match kind {
            Kind::Total => self.sizes.total,
            Kind::Section => self.sections.get(name).copied().unwrap_or(0),
            Kind::Routine => self.routines.get(name).copied().unwrap_or(0),
            Kind::Region => {
                let region = self.sizes.regions.iter().find(|r| r.name == name);
                let space = self.sizes.spaces.iter().find(|s| s.name == name);
                region.map_or(space.map_or(0, |s| s.bytes), |r| r.used)
            }
        }
    }
}

fn unknown(image: &Image, b: &Budget, hint: bool) -> Diagnostic {
    let mut d = Diagnostic::new(
        codes::UNKNOWN_REGION,
        format!(
            "the budget `{}` names no section, routine or region",
            b.name
        ),
    );
    d.span = b.span;
    let sections = image.sections.iter().map(|s| s.name.as_str());
    let labels = image
        .symbols
        .iter()
        .filter(|s| s.kind == SymbolKind::Label && !s.local)
        .map(|s| &*s.name);
    let regions = image.regions.iter().map(|r| r.name.as_str());
    let names = sections
        .chain(labels)
        .chain(regions)
        .filter(|n| !n.is_empty());
    match nearest(&b.name, names).filter(|_| hint) {
        Some(n) => d.help(format!("did you mean `{n}`?")),
        None => d.help("name `total`, a section, a plain label or a region"),
    }
}

/// The finding for a budget that is exceeded: used and limit, who uses the bytes,
/// and what grew since the last good build.
pub fn exceeded(check: &Check, sizes: &Sizes, before: Option<&Sizes>) -> Diagnostic {
    let what = match check.kind {
        Kind::Total => "the program".to_owned(),
        Kind::Section => format!("the section `{}`", check.name),
        Kind::Routine => format!("the routine `{}`", check.name),
        Kind::Region => format!("the region `{}`", check.name),
    };
    let mut d = Diagnostic::new(
        codes::BUDGET,
        format!(
            "{what} has {} bytes, {} over its budget of {}",
            thousands(check.used),
            thousands(check.over),
            thousands(check.limit)
        ),
    );
    d.span = check.span;
    d.label = Some(format!("{} over", thousands(check.over)));
    if let Some(m) = &check.measured {
        d = d.note(format!("its bytes are those of `{m}` at the same address"));
    }
    for line in ranked(check, sizes) {
        d = d.note(line);
    }
    if let Some(before) = before {
        d = d.note(growth(check, before, sizes));
    }
    d
}

/// Sections of a report by name.
fn by_name(sizes: &Sizes) -> FxHashMap<&str, &SectionSize> {
    let mut out = FxHashMap::default();
    for s in &sizes.sections {
        out.entry(s.name.as_str()).or_insert(s);
    }
    out
}

fn counts(
    check: &Check,
    sections: &FxHashMap<&str, &SectionSize>,
    section: &str,
    name: Option<&str>,
) -> bool {
    match check.kind {
        Kind::Total => sections.get(section).is_none_or(|s| !s.room),
        Kind::Region => sections.get(section).is_some_and(|s| {
            let named = |n: &Option<String>| n.as_deref() == Some(&check.name);
            named(&s.region) || named(&s.memory)
        }),
        Kind::Section => section == check.name,
        Kind::Routine => name == Some(check.measured.as_deref().unwrap_or(&check.name)),
    }
}

/// Who uses the bytes: a line for each of the largest, then the rest.
fn ranked(check: &Check, sizes: &Sizes) -> Vec<String> {
    let sections = by_name(sizes);
    let of: Vec<&RoutineSize> = sizes
        .routines
        .iter()
        .filter(|r| counts(check, &sections, &r.section, r.name.as_deref()))
        .collect();
    let mut out = Vec::new();
    for r in of.iter().take(MOST) {
        let mut line = format!(
            "{:>6}  {:>7}  {}",
            thousands(r.total),
            percent(r.total, check.used),
            r.shown_name()
        );
        if let (Some(file), Some(n)) = (&r.file, r.line) {
            let _ = write!(line, " ({file}:{n})");
        }
        out.push(line);
    }
    let rest: u64 = of.iter().skip(MOST).map(|r| r.total).sum();
    if rest > 0 {
        out.push(format!(
            "{:>6}  {:>7}  … {} more",
            thousands(rest),
            percent(rest, check.used),
            of.len() - MOST
        ));
    }
    out
}

fn growth(check: &Check, before: &Sizes, sizes: &Sizes) -> String {
    let changes = Changes::between(before, sizes);
    let sections = by_name(sizes);
    let of: Vec<&Change> = changes
        .routines()
        .filter(|c| c.change() != 0)
        .filter(|c| match &c.key {
            Key::Routine(section, name) => counts(check, &sections, section, name.as_deref()),
            Key::Section(_) => false,
        })
        .collect();
    if of.is_empty() {
        return "nothing has changed since the last good build: the limit has".into();
    }
    let sum: i64 = of.iter().map(|c| c.change()).sum();
    let list: Vec<String> = of
        .iter()
        .take(MOST)
        .map(|c| format!("{} {}", c.key.shown(), signed(c.change())))
        .collect();
    format!(
        "since the last good build {}: {}",
        signed(sum),
        list.join(", ")
    )
}

/// A line for each budget: used, free or over, limit, change.
pub fn text(checks: &[Check]) -> String {
    let mut out = String::new();
    if checks.is_empty() {
        return out;
    }
    let names = checks.iter().map(|c| section_name(&c.name).chars().count());
    let width = names.max().unwrap_or(0).max(6);
    let _ = writeln!(
        out,
        "{:<width$} {:>8} {:>8}      free",
        "budget", "used", "limit"
    );
    for c in checks {
        let state = if c.holds() {
            format!("{:>8}", thousands(c.free))
        } else {
            format!("{:>8} OVER", thousands(c.over))
        };
        let change = c.change.filter(|n| *n != 0);
        let change = change.map_or(String::new(), |n| format!("  {}", signed(n)));
        let _ = writeln!(
            out,
            "{:<width$} {:>8} {:>8}  {state}{change}",
            c.name,
            thousands(c.used),
            thousands(c.limit)
        );
    }
    out
}
