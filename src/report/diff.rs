//! What became larger or smaller between two reports.

use super::{SCHEMA, Sizes, signed};
use crate::diagnostic::text::thousands;
use crate::image::origin::{NO_LABEL, section_name};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a change is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// A section by name.
    Section(String),
    /// A routine by section and name.
    Routine(String, Option<String>),
}

impl Key {
    /// The name for people.
    pub fn shown(&self) -> String {
        match self {
            Self::Section(n) => section_name(n).to_owned(),
            Self::Routine(_, Some(n)) => n.clone(),
            Self::Routine(s, None) if s.is_empty() => NO_LABEL.into(),
            Self::Routine(s, None) => format!("{NO_LABEL} in {s}"),
        }
    }
}

/// Bytes before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Of what.
    pub key: Key,
    /// `None` if it is new.
    pub before: Option<u64>,
    /// `None` if it is gone.
    pub after: Option<u64>,
}

impl Change {
    /// Bytes more (or less, negative).
    pub fn change(&self) -> i64 {
        self.after.unwrap_or(0) as i64 - self.before.unwrap_or(0) as i64
    }
}

/// All changes between two reports, also those of 0 bytes. The changes of the
/// sections and those of the routines both add up to [`total`](Self::total).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    before: u64,
    after: u64,
    rows: BTreeMap<Key, Change>,
}

impl Changes {
    /// From an earlier report to a later one.
    pub fn between(before: &Sizes, after: &Sizes) -> Self {
        let mut rows: BTreeMap<Key, Change> = BTreeMap::new();
        for (sizes, new) in [(before, false), (after, true)] {
            let sections = sizes
                .sections
                .iter()
                .map(|s| (Key::Section(s.name.clone()), s.total));
            let routines = sizes
                .routines
                .iter()
                .map(|r| (Key::Routine(r.section.clone(), r.name.clone()), r.total));
            for (key, bytes) in sections.chain(routines) {
                let row = rows.entry(key.clone()).or_insert(Change {
                    key,
                    before: None,
                    after: None,
                });
                let side = if new { &mut row.after } else { &mut row.before };
                *side = Some(side.unwrap_or(0) + bytes);
            }
        }
        Self {
            before: before.total,
            after: after.total,
            rows,
        }
    }

    /// Bytes more in all.
    pub fn total(&self) -> i64 {
        self.after as i64 - self.before as i64
    }

    /// The change of one.
    pub fn find(&self, key: &Key) -> Option<&Change> {
        self.rows.get(key)
    }

    /// Changes of routines, the largest first.
    pub fn routines(&self) -> impl Iterator<Item = &Change> {
        self.ranked(|k| matches!(k, Key::Routine(..)))
    }

    /// Changes of sections, the largest first.
    pub fn sections(&self) -> impl Iterator<Item = &Change> {
        self.ranked(|k| matches!(k, Key::Section(_)))
    }

    fn ranked(&self, which: fn(&Key) -> bool) -> std::vec::IntoIter<&Change> {
        let mut list: Vec<&Change> = self.rows.values().filter(|r| which(&r.key)).collect();
        list.sort_by_key(|r| (std::cmp::Reverse(r.change().unsigned_abs()), r.key.clone()));
        list.into_iter()
    }

    /// For a terminal: the sum and all that changed.
    pub fn text(&self) -> String {
        let mut out = format!(
            "{} → {} bytes, {}\n",
            thousands(self.before),
            thousands(self.after),
            signed(self.total())
        );
        for (title, list) in [
            ("section", self.sections().collect::<Vec<_>>()),
            ("routine", self.routines().collect()),
        ] {
            let list: Vec<_> = list.into_iter().filter(|r| changed(r)).collect();
            if list.is_empty() {
                continue;
            }
            let _ = writeln!(
                out,
                "\n{title:<24} {:>8} {:>8} {:>8}",
                "before", "after", "change"
            );
            for r in list {
                let side = |s: Option<u64>| s.map_or("-".into(), thousands);
                let mark = match (r.before, r.after) {
                    (None, _) => "  NEW",
                    (_, None) => "  GONE",
                    _ => "",
                };
                let _ = writeln!(
                    out,
                    "{:<24} {:>8} {:>8} {:>8}{mark}",
                    r.key.shown(),
                    side(r.before),
                    side(r.after),
                    signed(r.change())
                );
            }
        }
        out
    }

    /// As JSON text with an end of line.
    pub fn to_json(&self) -> String {
        format!("{:#}\n", self.to_value())
    }

    /// As JSON.
    pub fn to_value(&self) -> serde_json::Value {
        let row = |r: &Change| {
            let (section, name) = match &r.key {
                Key::Section(s) => (s.as_str(), None),
                Key::Routine(s, n) => (s.as_str(), Some(n)),
            };
            let mut o = serde_json::Map::new();
            o.insert("section".into(), section.into());
            if let Some(n) = name {
                o.insert("name".into(), n.clone().into());
            }
            o.insert("before".into(), r.before.into());
            o.insert("after".into(), r.after.into());
            o.insert("change".into(), r.change().into());
            serde_json::Value::Object(o)
        };
        serde_json::json!({
            "schema": SCHEMA,
            "before": self.before,
            "after": self.after,
            "change": self.total(),
            "sections": self.sections().map(row).collect::<Vec<_>>(),
            "routines": self.routines().map(row).collect::<Vec<_>>(),
        })
    }
}

/// Whether a row tells of a change: other bytes, new or gone.
fn changed(r: &Change) -> bool {
    r.before != r.after
}
