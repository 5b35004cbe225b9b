//! Windows: some instructions of a program with what nobody reads behind them.

use std::fmt;

/// Instructions that stand behind each other in a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Window {
    /// The target's name.
    pub target: String,
    /// The instructions in the words of rules; labels are variables.
    pub from: Vec<String>,
    /// Cells and locations that nobody reads behind it.
    pub dead: Vec<String>,
    /// How often it was met.
    pub count: u64,
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (target, count) = (&self.target, self.count);
        write!(f, "{target} {count}: {}", self.from.join(" / "))?;
        match self.dead.is_empty() {
            true => Ok(()),
            false => write!(f, " | dead {}", self.dead.join(" ")),
        }
    }
}

/// What is wrong with a file of windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line, from 1.
    pub line: usize,
    /// What.
    pub message: String,
}

/// Reads a file of windows: one in a line, `TARGET COUNT: FROM | dead PLACES`; remarks begin
/// with `#`. Those that are the same are one.
///
/// # Errors
/// The first line that is none.
pub fn windows(text: &str) -> Result<Vec<Window>, Fault> {
    let mut all: Vec<Window> = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let window = window(line).ok_or_else(|| Fault {
            line: n + 1,
            message: format!("no window: `{line}`"),
        })?;
        all.push(window);
    }
    all.sort();
    all.dedup_by(|b, a| {
        let same = (&a.target, &a.from, &a.dead) == (&b.target, &b.from, &b.dead);
        if same {
            a.count = a.count.saturating_add(b.count);
        }
        same
    });
    Ok(all)
}

fn window(line: &str) -> Option<Window> {
    let (head, body) = line.split_once(": ")?;
    let (target, count) = head.split_once(' ')?;
    let (from, rest) = body.split_once('|').unwrap_or((body, ""));
    let dead = match rest.trim() {
        "" => "",
        rest => rest.strip_prefix("dead ")?,
    };
    let from = from.split(" / ").map(|t| t.trim().to_owned());
    let from: Vec<String> = from.filter(|t| !t.is_empty()).collect();
    (!from.is_empty()).then_some(())?;
    Some(Window {
        target: target.to_owned(),
        from,
        dead: dead.split_whitespace().map(str::to_owned).collect(),
        count: count.trim().parse().ok()?,
    })
}
