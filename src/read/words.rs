//! What the words of a source can be: mnemonics, registers and directives, in
//! one table with one probe a word; and the instruction forms by mnemonic.

use crate::text::language::{Dialect, Directive, LabelRule};
use crate::text::short::eight;
use rustc_hash::{FxHashMap, FxHashSet};
use scrimp_isa::proof::Role;
use scrimp_isa::{Outline, Target};
use smallvec::SmallVec;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// What a word can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Index in the list of mnemonics plus 1; 0 for none.
    pub mnemonic: u16,
    /// Number of a register or condition from 1; 0 for none.
    pub word: u8,
    /// Directive.
    pub directive: Option<Directive>,
}

/// A mnemonic and its forms.
#[derive(Debug, Default)]
pub struct Mnemonic {
    /// In lower case.
    pub name: String,
    /// Rows of the target's table.
    pub forms: Vec<u16>,
    /// For one that relaxes: mnemonics to try, shortest first.
    pub tries: Vec<u16>,
    /// Operands that the dialect reads at most, if it does not read all.
    pub most: Option<u8>,
}

/// Operand classes of a form.
pub type Classes = SmallVec<[u8; 4]>;

/// How an operand as written is taken by a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As it is.
    Plain,
    /// `(5)` as 5.
    Unwrapped,
    /// A register's name as a symbol, alone or in a sum.
    Symbol,
    /// `(ix)` as `(ix+0)`.
    Zero,
    /// As another word, the peer's way; with a warning or without.
    As(u8, bool),
}

/// Forms that take operands of certain outlines, best first.
pub type Candidates = Vec<(u16, SmallVec<[Reading; 4]>)>;

/// The words of a target in a dialect, and what was asked of them.
pub struct Words {
    tables: Arc<Tables>,
    memo: FxHashMap<u64, u32>,
    candidates: Vec<Candidates>,
}

impl Deref for Words {
    type Target = Tables;

    #[inline]
    fn deref(&self) -> &Tables {
        &self.tables
    }
}

/// The tables for one target and dialect.
pub struct Tables {
    by_name: FxHashMap<u64, Entry>,
    /// Words of more than eight characters, in lower case.
    long: FxHashMap<String, Entry>,
    /// Their lengths, a bit for each.
    long_lengths: u64,
    /// Mnemonics.
    pub mnemonics: Vec<Mnemonic>,
    /// Register and condition names; number n is at n-1.
    pub words: Vec<&'static str>,
    /// For each form its operand classes.
    pub classes: Vec<Classes>,
    /// For each class the field value of each word number, or 255.
    word_values: Vec<Vec<u8>>,
    second_values: Vec<Vec<u8>>,
    twins: Vec<WordTwin>,
}

/// A [`Twin`](crate::text::language::Twin) by numbers.
struct WordTwin {
    mnemonic: u16,
    written: [u8; 2],
    taken: [u8; 2],
    warn: bool,
}

/// No directive or mnemonic is longer.
const LONGEST: usize = 32;

/// Packs a word of up to eight ASCII characters in any case; 0 for others.
#[inline]
pub fn pack(word: &str) -> u64 {
    lower(eight(word.as_bytes()))
}

/// Eight ASCII characters with the capital ones made small.
#[inline]
fn lower(v: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let low = v & !HIGH;
    // Bit 7 of a byte is set where it is at least `A`, and where it is above `Z`.
    let from_a = low + (0x80 - 0x41) * ONES;
    let above_z = low + (0x80 - 0x5b) * ONES;
    let capital = from_a & !above_z & !v & HIGH;
    v | capital >> 2
}

/// Tables that were made before, by target and dialect: a source that fails is read in
/// other languages too, and they take longer to make than a short source to read.
static MADE: Mutex<Vec<(&str, &Dialect, Arc<Tables>)>> = Mutex::new(Vec::new());

impl Words {
    /// The tables of a target and dialect, with nothing asked yet.
    pub fn new(target: &dyn Target, dialect: &'static Dialect) -> Self {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let known = made
            .iter()
            .find(|m| m.0 == target.name() && std::ptr::eq(m.1, dialect));
        let tables = match known {
            Some(m) => Arc::clone(&m.2),
            None => {
                let tables = Arc::new(Tables::new(target, dialect));
                made.push((target.name(), dialect, Arc::clone(&tables)));
                tables
            }
        };
        Self {
            tables,
            memo: FxHashMap::default(),
            candidates: Vec::new(),
        }
    }

    /// Forms of a mnemonic that take operands of these shapes: outline and word
    /// numbers each. Remembered, so a table of any size costs one probe.
    pub fn candidates(
        &mut self,
        mnemonic: u16,
        shapes: &[(Outline, u8, u8)],
        operands: &'static [scrimp_isa::Operand],
    ) -> u32 {
        let mut key = u64::from(mnemonic) + 1;
        for &(o, a, b) in shapes {
            key = key.wrapping_mul(0x1_0000_01b3)
                ^ (u64::from(o as u8 + 1) << 16 | u64::from(a) << 8 | u64::from(b));
        }
        let key = key << 3 | shapes.len() as u64;
        if let Some(&i) = self.memo.get(&key) {
            return i;
        }
        let list = self
            .twin_candidates(mnemonic, shapes, operands)
            .unwrap_or_else(|| self.search(mnemonic, shapes, operands));
        self.candidates.push(list);
        let i = self.candidates.len() as u32 - 1;
        self.memo.insert(key, i);
        i
    }

    /// The list of that number.
    #[inline]
    pub fn list(&self, candidates: u32) -> &Candidates {
        &self.candidates[candidates as usize]
    }
}

impl Tables {
    /// Builds the tables.
    fn new(target: &dyn Target, dialect: &Dialect) -> Self {
        let forms = target.forms();
        let mut w = Self {
            by_name: FxHashMap::default(),
            long: FxHashMap::default(),
            long_lengths: 0,
            mnemonics: Vec::new(),
            words: Vec::new(),
            classes: Vec::with_capacity(forms.len()),
            word_values: Vec::new(),
            second_values: Vec::new(),
            twins: Vec::new(),
        };
        w.take_forms(target, dialect);
        w.take_names(target, dialect);
        w.take_own(target, dialect);
        w.limit_operands(target, dialect);
        w.take_twins(dialect);
        w
    }

    /// Words and mnemonics of the forms that the dialect takes.
    fn take_forms(&mut self, target: &dyn Target, dialect: &Dialect) {
        let forms = target.forms();
        let operands = target.operands();
        let foreign = target.extensions() & !dialect.words.extensions;
        let all = || {
            forms
                .iter()
                .zip(0u16..)
                .filter(|f| f.0.needs & foreign == 0)
        };
        let taken: Vec<u16> = (dialect.words.spellings.iter())
            .flat_map(|&s| all().filter(move |f| f.0.spelling == s).map(|f| f.1))
            .collect();
        let used: FxHashSet<&str> = (taken.iter())
            .flat_map(|&i| forms[usize::from(i)].operand_names())
            .collect();
        for o in operands.iter().filter(|o| used.contains(o.name)) {
            for list in [o.words, o.second].into_iter().flatten() {
                for (name, _) in list.words {
                    self.word_number(name);
                }
            }
        }
        let aliases = target.word_aliases().iter();
        for (alias, name) in aliases.filter(|_| dialect.operands.register_aliases) {
            let n = self.word_number(name);
            self.by_name.entry(pack(alias)).or_default().word = n;
        }
        for o in operands {
            let values = |w: &Self, list: Option<scrimp_isa::operand::Words>| {
                let mut v = vec![255; w.words.len() + 1];
                for (name, value) in list.map_or(&[][..], |l| l.words) {
                    match w.get(name).word {
                        0 => {}
                        n => v[usize::from(n)] = *value,
                    }
                }
                v
            };
            self.word_values.push(values(self, o.words));
            self.second_values.push(values(self, o.second));
        }
        for i in taken {
            let m = self.mnemonic_number(forms[usize::from(i)].name);
            self.mnemonics[m as usize - 1].forms.push(i);
        }
        let numbers: FxHashMap<&str, u8> = operands.iter().map(|o| o.name).zip(0..).collect();
        for f in forms {
            let classes = f.operand_names().map(|n| numbers[n]).collect();
            self.classes.push(classes);
        }
    }

    /// Other spellings of mnemonics, and directives.
    fn take_names(&mut self, target: &dyn Target, dialect: &Dialect) {
        let relax = target.relax().iter().filter(|_| dialect.output.floating);
        for r in relax {
            let tries = r
                .tries
                .iter()
                .map(|t| self.mnemonic_number(t) - 1)
                .collect();
            let m = self.mnemonic_number(r.name);
            self.mnemonics[m as usize - 1].tries = tries;
        }
        for &(spelling, name) in dialect.words.mnemonics {
            let n = self.by_name.get(&pack(name)).map_or(0, |e| e.mnemonic);
            self.by_name.entry(pack(spelling)).or_default().mnemonic = n;
        }
        for &(name, d) in dialect.words.directives {
            // Where an instruction is called so, a register gets its name with the dot.
            let taken = d == Directive::Define && self.get(name).mnemonic > 0;
            if !taken || !dialect.words.dotted {
                self.entry(name).directive = Some(d);
            }
            if dialect.words.dotted {
                self.entry(&format!(".{name}")).directive = Some(d);
            }
        }
    }

    /// Directives that are the target's.
    fn take_own(&mut self, target: &dyn Target, dialect: &Dialect) {
        if dialect.output.floating && target.grid().is_some() {
            for (name, d) in [
                ("column", Directive::Column),
                ("fullpage", Directive::FullPage),
                ("reserve", Directive::ReserveRoom),
                ("cells", Directive::Cells),
                ("initialise", Directive::Initialise),
            ] {
                self.entry(name).directive = Some(d);
            }
        }
        if target.rom_table().is_some() && dialect.output.floating {
            for (name, d) in [
                ("romtable", Directive::RomTable),
                ("endtable", Directive::EndTable),
                ("same_page", Directive::SamePage),
            ] {
                self.entry(name).directive = Some(d);
            }
        }
        if target.has_slots() && dialect.output.floating {
            self.entry("slot").directive = Some(Directive::Slot);
        }
        for (i, c) in target.contracts().iter().enumerate() {
            // The target's own words, where the dialect is not another tool's. A listing
            // may be asked about, but nothing can be put between its lines.
            let asked = dialect.names.labels == LabelRule::Listed && c.role == Role::Promise;
            if (dialect.output.floating || asked) && self.get(c.name) == Entry::default() {
                self.entry(c.name).directive = Some(Directive::Contract(i as u8));
            }
        }
    }

    /// How many operands are read, where the dialect leaves the rest out.
    fn limit_operands(&mut self, target: &dyn Target, dialect: &Dialect) {
        for &(name, most) in dialect.operands.ignored_operands {
            let n = self.get(name).mnemonic;
            if n > 0 {
                self.mnemonics[n as usize - 1].most = Some(most);
            }
        }
        if dialect.operands.reads_no_further {
            let count = |&f: &u16| match target.forms()[usize::from(f)].operands {
                "" => 0,
                operands => operands.split(',').count() as u8,
            };
            for m in &mut self.mnemonics {
                m.most = m.most.or(m.forms.iter().map(count).max());
            }
        }
    }

    /// Words that the dialect encodes as others.
    fn take_twins(&mut self, dialect: &Dialect) {
        self.by_name.remove(&0);
        for t in dialect.operands.twins {
            let word = |n: &str| if n.is_empty() { 0 } else { self.get(n).word };
            let twin = WordTwin {
                mnemonic: self.get(t.mnemonic).mnemonic,
                written: t.written.map(word),
                taken: t.taken.map(word),
                warn: t.warn,
            };
            if twin.mnemonic > 0 {
                self.twins.push(twin);
            }
        }
    }

    fn entry(&mut self, name: &str) -> &mut Entry {
        match pack(name) {
            0 => {
                self.long_lengths |= 1 << (name.len() & 63);
                self.long.entry(name.to_ascii_lowercase()).or_default()
            }
            key => self.by_name.entry(key).or_default(),
        }
    }

    fn word_number(&mut self, name: &'static str) -> u8 {
        let e = self.by_name.entry(pack(name)).or_default();
        if e.word == 0 {
            self.words.push(name);
            e.word = self.words.len() as u8;
        }
        e.word
    }

    fn mnemonic_number(&mut self, name: &str) -> u16 {
        let e = self.by_name.entry(pack(name)).or_default();
        if e.mnemonic == 0 {
            self.mnemonics.push(Mnemonic {
                name: name.into(),
                ..Mnemonic::default()
            });
            e.mnemonic = self.mnemonics.len() as u16;
        }
        e.mnemonic
    }

    /// What a word can be.
    #[inline]
    pub fn get(&self, word: &str) -> Entry {
        match pack(word) {
            0 if word.len() <= LONGEST && self.long_lengths >> word.len() & 1 != 0 => {
                self.get_long(word)
            }
            key => self.by_name.get(&key).copied().unwrap_or_default(),
        }
    }

    /// Whether a word is a mnemonic or directive.
    pub fn is_statement(&self, word: &str) -> bool {
        let e = self.get(word);
        e.mnemonic != 0 || e.directive.is_some()
    }

    fn get_long(&self, word: &str) -> Entry {
        let word = word.to_ascii_lowercase();
        self.long.get(&word).copied().unwrap_or_default()
    }

    /// Field value of a word in a class's first list.
    #[inline]
    pub fn value(&self, class: u8, word: u8) -> Option<u8> {
        // A dialect's own words came after those of the operands.
        let v = self.word_values[class as usize].get(word as usize);
        v.copied().filter(|&v| v != 255)
    }

    /// Field value of a word in a class's second list.
    #[inline]
    pub fn second_value(&self, class: u8, word: u8) -> Option<u8> {
        let v = self.second_values[class as usize].get(word as usize);
        v.copied().filter(|&v| v != 255)
    }

    /// The forms that take these operands.
    fn search(
        &self,
        mnemonic: u16,
        shapes: &[(Outline, u8, u8)],
        operands: &'static [scrimp_isa::Operand],
    ) -> Candidates {
        let mut found: Vec<(u32, usize, u16, SmallVec<[Reading; 4]>)> = Vec::new();
        for (order, &f) in self.mnemonics[mnemonic as usize].forms.iter().enumerate() {
            let classes = &self.classes[f as usize];
            if classes.len() != shapes.len() {
                continue;
            }
            let mut cost = 0;
            let mut readings = SmallVec::new();
            for (&c, &(outline, word, second)) in classes.iter().zip(shapes) {
                let class = &operands[c as usize];
                let word_ok = |w: u8| self.value(c, w).is_some();
                let reading = if class.outline == outline
                    && (class.words.is_none() || word_ok(word))
                    && (class.second.is_none() || self.second_value(c, second).is_some())
                {
                    Some((Reading::Plain, 0))
                } else {
                    match (outline, class.outline) {
                        (Outline::RoundValue, Outline::Value) => Some((Reading::Unwrapped, 1)),
                        (Outline::RoundWord, Outline::RoundWordValue) if word_ok(word) => {
                            Some((Reading::Zero, 1))
                        }
                        (Outline::Word, Outline::Value) => Some((Reading::Symbol, 4)),
                        (Outline::RoundWord, Outline::RoundValue) => Some((Reading::Symbol, 4)),
                        (Outline::WordValue, Outline::Value)
                        | (Outline::RoundWordValue, Outline::RoundValue) => {
                            Some((Reading::Symbol, 4))
                        }
                        (Outline::RoundWordValue, Outline::Value) => Some((Reading::Symbol, 5)),
                        _ => None,
                    }
                };
                let Some((r, c)) = reading else { break };
                readings.push(r);
                cost += c;
            }
            if readings.len() == shapes.len() {
                found.push((cost, order, f, readings));
            }
        }
        found.sort_by_key(|f| (f.0, f.1));
        found.into_iter().map(|f| (f.2, f.3)).collect()
    }

    /// Whether the dialect encodes some words of an instruction as others.
    pub fn has_twins(&self, mnemonic: u16) -> bool {
        self.twins.iter().any(|t| t.mnemonic == mnemonic + 1)
    }

    /// Candidates for words that the dialect encodes as others.
    fn twin_candidates(
        &self,
        mnemonic: u16,
        shapes: &[(Outline, u8, u8)],
        operands: &'static [scrimp_isa::Operand],
    ) -> Option<Candidates> {
        let written = match *shapes {
            [(_, a, 0)] => [a, 0],
            [(_, a, 0), (_, b, 0)] => [a, b],
            _ => return None,
        };
        let twin = self
            .twins
            .iter()
            .find(|t| t.mnemonic == mnemonic + 1 && t.written == written)?;
        let (taken, warn) = (twin.taken, twin.warn);
        let mut other: SmallVec<[(Outline, u8, u8); 2]> = SmallVec::from_slice(shapes);
        let mut readings = SmallVec::new();
        for (k, shape) in other.iter_mut().enumerate() {
            readings.push(Reading::As(taken[k], warn && taken[k] != shape.1));
            shape.1 = taken[k];
        }
        let list = self.search(mnemonic, &other, operands);
        Some(
            list.into_iter()
                .map(|(f, _)| (f, readings.clone()))
                .collect(),
        )
    }

    /// All mnemonics and directive words, for hints.
    pub fn statement_names<'a>(&'a self, dialect: &'a Dialect) -> impl Iterator<Item = &'a str> {
        self.mnemonics
            .iter()
            .map(|m| m.name.as_str())
            .chain(dialect.words.directives.iter().map(|d| d.0))
    }
}

#[cfg(test)]
mod tests {
    use super::pack;

    #[test]
    fn words_pack_apart_and_in_any_case() {
        let mut seen = std::collections::HashMap::new();
        let all = [
            "a", "b", "ab", "ba", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh",
        ];
        let more = [
            "a@", "z[", "zz{", "éa", "Éa", ".org", "_", "aaaa", "aaaaa", "aaaaaaaa",
        ];
        for w in all.iter().chain(&more) {
            let v = pack(w);
            assert_ne!(v, 0);
            assert_eq!(v, pack(&w.to_ascii_uppercase()), "{w}");
            assert_eq!(seen.insert(v, w), None, "{w}");
        }
        assert_eq!((pack(""), pack("abcdefghi")), (0, 0));
    }
}
