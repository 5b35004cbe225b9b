//! A matrix keypad: each key connects a row to a column.

use crate::peripherals::lines::{Lines, Node, Pin};

/// Switches between rows and columns, without diodes and without resistors.
#[derive(Clone, Debug)]
pub struct Keypad {
    rows: Vec<Pin>,
    columns: Vec<Pin>,
    /// Labels row by row.
    labels: Vec<String>,
    down: Vec<bool>,
}

/// What is printed on a keypad of four by four.
pub const LABELS: [&str; 16] = [
    "1", "2", "3", "A", "4", "5", "6", "B", "7", "8", "9", "C", "*", "0", "#", "D",
];

impl Keypad {
    /// A keypad; there must be a label for each crossing.
    ///
    /// # Errors
    /// The number of labels is another, or a label or pin is there twice.
    pub fn new(rows: Vec<Pin>, columns: Vec<Pin>, labels: Vec<String>) -> Result<Self, String> {
        let (r, c, n) = (rows.len(), columns.len(), labels.len());
        if r * c != n || n == 0 {
            return Err(format!(
                "{r} rows by {c} columns make {} keys, not {n}",
                r * c
            ));
        }
        for (i, pin) in rows.iter().chain(&columns).enumerate() {
            if rows.iter().chain(&columns).take(i).any(|p| p == pin) {
                return Err(format!("{pin} is connected twice"));
            }
        }
        if let Some(i) = (0..n).find(|&i| labels[..i].contains(&labels[i])) {
            return Err(format!("two keys are called {}", labels[i]));
        }
        Ok(Self {
            rows,
            columns,
            down: vec![false; n],
            labels,
        })
    }

    /// Four by four on a port, rows at bits 0 to 3 and columns at 4 to 7, with the usual
    /// labels.
    #[must_use]
    pub fn on_port(port: u8) -> Self {
        let pins = |bits: std::ops::Range<u8>| bits.map(|bit| Pin { port, bit }).collect();
        let labels = LABELS.map(str::to_owned).to_vec();
        Self {
            rows: pins(0..4),
            columns: pins(4..8),
            down: vec![false; labels.len()],
            labels,
        }
    }

    /// The labels, row by row.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.labels.clone()
    }

    pub(super) fn pins(&self) -> Vec<Pin> {
        self.rows.iter().chain(&self.columns).copied().collect()
    }

    /// How many columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Labels and whether they are pressed, row by row.
    pub fn state(&self) -> impl Iterator<Item = (&str, bool)> {
        let labels = self.labels.iter().map(String::as_str);
        labels.zip(self.down.iter().copied())
    }

    pub(super) fn key(&mut self, lines: &mut Lines, name: &str, down: bool) -> bool {
        let found = self
            .labels
            .iter()
            .position(|l| l.eq_ignore_ascii_case(name));
        let Some(at) = found else { return false };
        self.down[at] = down;
        let row = self.rows[at / self.columns.len()];
        let column = self.columns[at % self.columns.len()];
        lines.switch(row, Node::Pin(column), down);
        true
    }
}
