//! From bytes to forms and text, derived from the table.

use crate::Form;

/// An instruction found in memory.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// Row in [`Target::forms`](crate::Target::forms).
    pub form: usize,
    /// Length in bytes.
    pub len: u8,
    /// Canonical text, e.g. `ld a,(ix+$05)`; assembles to the same bytes.
    pub text: String,
    /// The address a jump, call or memory operand names, where there is one:
    /// what a disassembler gives a label.
    pub refers_to: Option<u64>,
}

/// Finds the form of an instruction word. Built once per target.
#[derive(Debug)]
pub struct Decoder {
    forms: &'static [Form],
    /// Candidate rows by first byte, most specific first.
    first: Vec<Vec<u16>>,
}

impl Decoder {
    /// Builds the index over a table.
    pub fn new(forms: &'static [Form]) -> Self {
        let mut first = vec![Vec::new(); 256];
        for (byte, rows) in first.iter_mut().enumerate() {
            for (i, f) in forms.iter().enumerate() {
                if !f.alias && (byte as u64) & f.pattern.mask & 0xff == f.pattern.fixed & 0xff {
                    rows.push(i as u16);
                }
            }
            // More fixed bits win; the table's order decides among equals.
            rows.sort_by_key(|&i| std::cmp::Reverse(forms[i as usize].pattern.mask.count_ones()));
        }
        Self { forms, first }
    }

    /// The row that the bytes are an instance of.
    pub fn find(&self, bytes: &[u8]) -> Option<usize> {
        let mut word = 0;
        for (i, &b) in bytes.iter().take(8).enumerate() {
            word |= u64::from(b) << (8 * i);
        }
        let rows = &self.first[*bytes.first()? as usize];
        rows.iter().map(|&i| i as usize).find(|&i| {
            self.forms[i].pattern.len as usize <= bytes.len() && self.forms[i].pattern.matches(word)
        })
    }
}
