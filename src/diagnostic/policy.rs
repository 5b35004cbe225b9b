//! Which warnings count: silenced, shown, or denied, which makes them errors.
//!
//! What is said later wins, but who denies a group does not deny what was silenced.

use super::codes::{self, Entry};
use super::{Diagnostic, Level, near};

/// What becomes of a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    /// It is not shown.
    Silent,
    /// It is shown.
    Shown,
    /// It is an error, by whom.
    Denied(String),
}

/// What becomes of each warning; the default shows all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    fates: Vec<(&'static str, Fate)>,
}

impl Policy {
    /// `NAME` shows warnings, `no-NAME` silences them. The name is that of a warning, its
    /// code, or that of a group.
    ///
    /// # Errors
    /// When there is no such name, with the nearest.
    pub fn warn(&mut self, text: &str) -> Result<(), String> {
        let (name, fate) = match text.strip_prefix("no-") {
            Some(name) => (name, Fate::Silent),
            None => (text, Fate::Shown),
        };
        for e in named(name)?.0 {
            self.set(e, fate.clone());
        }
        Ok(())
    }

    /// Makes warnings errors, whose messages say that `by` did so. A group leaves those
    /// alone that are silenced.
    ///
    /// # Errors
    /// When there is no such name, with the nearest.
    pub fn deny(&mut self, name: &str, by: &str) -> Result<(), String> {
        let (entries, group) = named(name)?;
        for e in entries {
            if !(group && self.fate(e.code) == Some(&Fate::Silent)) {
                self.set(e, Fate::Denied(by.to_owned()));
            }
        }
        Ok(())
    }

    fn set(&mut self, e: &'static Entry, fate: Fate) {
        self.fates.retain(|f| f.0 != e.code);
        self.fates.push((e.code, fate));
    }

    fn fate(&self, code: &str) -> Option<&Fate> {
        self.fates.iter().find(|f| f.0 == code).map(|f| &f.1)
    }

    /// Whether a finding is to be shown; one that is denied becomes an error.
    pub fn admits(&self, d: &mut Diagnostic) -> bool {
        if d.level != Level::Warning {
            return true;
        }
        match self.fate(d.code) {
            Some(Fate::Silent) => return false,
            Some(Fate::Denied(by)) => {
                d.level = Level::Error;
                d.message = format!("{} (denied by {by})", d.message);
            }
            Some(Fate::Shown) | None => {}
        }
        true
    }

    /// Those of some findings that are to be shown, and whether one of them is an error.
    pub fn apply(&self, findings: Vec<Diagnostic>) -> (Vec<Diagnostic>, bool) {
        let mut out = findings;
        out.retain_mut(|d| self.admits(d));
        let failed = out.iter().any(|d| d.level == Level::Error);
        (out, failed)
    }
}

/// The warnings that a name stands for, and whether it is a group's.
fn named(name: &str) -> Result<(Vec<&'static Entry>, bool), String> {
    if name == codes::WARNINGS {
        return Ok((codes::warnings().collect(), true));
    }
    if let Some((_, of)) = codes::GROUPS.iter().find(|g| g.0 == name) {
        let entries = of.iter().filter_map(|c| codes::find(c));
        return Ok((entries.collect(), true));
    }
    if let Some(e) = codes::find(name) {
        return match e.name.is_empty() {
            true => Err(format!("{} is no warning", e.code)),
            false => Ok((vec![e], false)),
        };
    }
    let hint = match name {
        "all" => "; all of them are `warnings`".to_owned(),
        "error" => "; `--deny warnings` makes all of them errors".to_owned(),
        _ => {
            let groups = codes::GROUPS.iter().map(|g| g.0).chain([codes::WARNINGS]);
            let names = codes::warnings().map(|e| e.name).chain(groups);
            match near::nearest(name, names.clone()) {
                Some(n) => format!("; is `{n}` meant?"),
                None => format!("; there are: {}", names.collect::<Vec<_>>().join(", ")),
            }
        }
    };
    Err(format!("there is no warning `{name}`{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(p: &Policy, code: &'static str) -> Option<Level> {
        let mut d = Diagnostic::new(code, "m");
        p.admits(&mut d).then_some(d.level)
    }

    #[test]
    fn what_is_said_later_wins() {
        let mut p = Policy::default();
        assert_eq!(level(&p, codes::TRUNCATED), Some(Level::Warning));
        p.warn("no-warnings").unwrap();
        p.warn("W0002").unwrap();
        assert_eq!(level(&p, codes::TRUNCATED), Some(Level::Warning));
        assert_eq!(level(&p, codes::PADDED), None);
        assert_eq!(level(&p, codes::SYNTAX), Some(Level::Error));
        assert_eq!(level(&p, codes::USER_NOTE), Some(Level::Note));
        p.deny("warnings", "x").unwrap();
        assert_eq!(level(&p, codes::TRUNCATED), Some(Level::Error));
        assert_eq!(level(&p, codes::PADDED), None);
        p.deny("padded", "x").unwrap();
        assert_eq!(level(&p, codes::PADDED), Some(Level::Error));
        p.warn("padded").unwrap();
        assert_eq!(level(&p, codes::PADDED), Some(Level::Warning));
    }

    #[test]
    fn groups_and_wrong_names() {
        let mut p = Policy::default();
        p.deny("unproven", "--deny unproven").unwrap();
        let (found, failed) = p.apply(vec![Diagnostic::new(codes::UNPROVEN, "m")]);
        assert_eq!(found[0].message, "m (denied by --deny unproven)");
        assert!(failed);
        let says = |name: &str| Policy::default().deny(name, "x").unwrap_err();
        assert!(says("trunkated").ends_with("is `truncated` meant?"));
        assert!(says("E0022").ends_with("is no warning"));
        assert!(says("all").contains("`warnings`"));
        assert!(says("zzzzzzz").contains("there are: suspicious-label"));
        assert!(Policy::default().warn("no-nothing-like-it").is_err());
    }
}
