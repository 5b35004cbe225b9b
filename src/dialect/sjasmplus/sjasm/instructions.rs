//! Instructions as sjasm takes them: `jp !c`, `ld a,(hl++)`.

use super::state::Jump;
use crate::dialect::sjasmplus::state::State;
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

/// Conditions, each with its opposite beside it.
const OPPOSITES: [(&str, &str); 5] = [
    ("nz", "z"),
    ("nc", "c"),
    ("po", "pe"),
    ("p", "m"),
    ("ns", "s"),
];

/// The opposite of a condition.
fn opposite(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let found = OPPOSITES.iter().find(|o| o.0 == word || o.1 == word)?;
    let other = if found.0 == word { found.1 } else { found.0 };
    Some(match other {
        "ns" => "p",
        "s" => "m",
        other => other,
    })
}

/// A pointer in parentheses that is counted, in a text: the text without the signs, the
/// pointer, and what is counted before and behind.
fn counted(text: &str) -> Option<(String, String, &'static str, bool)> {
    for (sign, word) in [("++", "inc"), ("--", "dec")] {
        for (i, _) in text.match_indices(sign) {
            let (head, tail) = (text[..i].trim_end(), &text[i + 2..]);
            let register = |t: &str| {
                let t = t.to_ascii_lowercase();
                matches!(t.as_str(), "bc" | "de" | "hl" | "ix" | "iy")
            };
            let next = tail.get(..2).filter(|r| register(r));
            if head.ends_with(['(', '[']) && next.is_some_and(|_| !follows(tail)) {
                return Some((format!("{head}{tail}"), tail[..2].to_owned(), word, true));
            }
            let Some(at) = i.checked_sub(2) else { continue };
            let before = text.get(at..i).filter(|r| register(r));
            let opened = text.get(..at).unwrap_or("");
            let opened = opened.trim_end().ends_with(['(', '[']);
            if let (Some(r), true) = (before, opened) {
                return Some((format!("{}{tail}", &text[..i]), r.to_owned(), word, false));
            }
        }
    }
    None
}

/// Whether a short jump reaches.
fn near(to: i64, here: i64) -> bool {
    (-128..128).contains(&(to - here - 2))
}

/// Whether a name goes on behind its first two letters.
fn follows(text: &str) -> bool {
    let next = text.as_bytes().get(2);
    next.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

impl Assembler<'_> {
    /// `jr. target`, `jp. target`, `djnz. target`: short where that reaches; false for
    /// another word.
    pub(in super::super) fn sjasm_jump(&mut self, word: &str, rest: &[Tok]) -> Outcome<bool> {
        let Some((base, how)) = word.split_once('.') else {
            return Ok(false);
        };
        let base = base.to_ascii_lowercase();
        let free = match how.to_ascii_lowercase().as_str() {
            "" | "o" => true,
            "no" => false,
            _ => return Ok(false),
        };
        if !matches!(base.as_str(), "jr" | "jp" | "djnz") {
            return Ok(false);
        }
        self.memo.not_again();
        let parts = split(rest);
        let part = |i: usize| parts.get(i).map(|&(a, b)| &rest[a as usize..b as usize]);
        let (condition, target) = match (part(0), part(1)) {
            (Some(c), Some(target)) => (self.written(c), target),
            (Some(target), None) => (String::new(), target),
            _ => (String::new(), rest),
        };
        let condition = match condition.strip_prefix('!') {
            Some(other) => opposite(other.trim()).unwrap_or(other).to_owned(),
            None => condition,
        };
        let text = self.written(target);
        let comma = if condition.is_empty() { "" } else { "," };
        let far = format!("jp {condition}{comma}{text}");
        let reaches = matches!(
            condition.to_ascii_lowercase().as_str(),
            "" | "z" | "nz" | "c" | "nc"
        );
        if !free || !reaches || target.is_empty() {
            let same = format!("{base} {condition}{comma}{text}");
            return self.sjasm_jumps_to(&[same]);
        }
        self.own.get_mut::<State>().jump = true;
        let v = self.whole_expression(target);
        self.own.get_mut::<State>().jump = false;
        let (v, here) = (v?, self.here_value.unwrap_or(0));
        let texts = &mut self.own.get_mut::<State>().texts;
        let went = texts.went.get(texts.jumps.len()).copied().unwrap_or(0);
        let short = near(v.number().unwrap_or(went), here);
        texts.jumps.push(Jump {
            target: v,
            here,
            short,
        });
        let list = match (base.as_str(), short) {
            ("djnz", true) => vec![format!("djnz {text}")],
            ("djnz", false) => vec!["dec b".into(), format!("jp nz,{text}")],
            (_, true) => vec![format!("jr {condition}{comma}{text}")],
            (_, false) => vec![far],
        };
        self.sjasm_jumps_to(&list)
    }

    /// Jumps that stand for one; their targets may be numbers as labels.
    fn sjasm_jumps_to(&mut self, list: &[String]) -> Outcome<bool> {
        self.own.get_mut::<State>().jump = true;
        let done = self.sj_instead(list);
        self.own.get_mut::<State>().jump = false;
        done.map(|()| true)
    }

    /// Whether another run would have other jumps; where this one's went is kept.
    pub(in super::super) fn sjasm_jumps_unsettled(&mut self) -> bool {
        let jumps = std::mem::take(&mut self.own.get_mut::<State>().texts.jumps);
        if jumps.is_empty() {
            return false;
        }
        let layout = self.lay_out();
        let values = self.final_values(&layout);
        let to = |j: &Jump| {
            self.program
                .value_of(j.target, &layout, &values)
                .unwrap_or(0)
        };
        let went: Vec<i64> = jumps.iter().map(to).collect();
        let mut both = jumps.iter().zip(&went);
        let unsettled = both.any(|(j, &to)| near(to, j.here) != j.short);
        self.own.get_mut::<State>().texts.went = went;
        unsettled
    }

    /// Instructions that stand for one; false if it stands for itself.
    pub(in super::super) fn sjasm_instruction(
        &mut self,
        mnemonic: u16,
        toks: &[Tok],
        from: usize,
    ) -> Outcome<bool> {
        let rest = &toks[from..];
        let name = self.words.mnemonics[usize::from(mnemonic)].name.clone();
        if let [bang, condition, more @ ..] = rest
            && bang.kind == Kind::Bang
            && matches!(name.as_str(), "jp" | "jr" | "call" | "ret")
            && let Some(other) = opposite(self.sources.slice(condition.span))
        {
            let text = format!("{name} {other}{}", self.written(more));
            self.memo.not_again();
            return self.sjasm_jumps_to(&[text]);
        }
        let signs = |a: &Tok, b: &Tok| {
            a.kind == b.kind
                && matches!(a.kind, Kind::Plus | Kind::Minus)
                && a.span.end == b.span.start
        };
        if !rest.windows(2).any(|w| signs(&w[0], &w[1])) {
            return Ok(false);
        }
        let Some((text, register, word, before)) = counted(&self.written(rest)) else {
            return Ok(false);
        };
        let mut list = vec![format!("{name} {text}")];
        let step = format!("{word} {register}");
        list.insert(if before { 0 } else { 1 }, step);
        self.memo.not_again();
        self.sj_instead(&list).map(|()| true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_counted_before_and_behind() {
        let some = |t: &str| counted(t).map(|c| (c.0, c.1, c.2, c.3));
        assert_eq!(
            some("a,(hl++)"),
            Some(("a,(hl)".into(), "hl".into(), "inc", false))
        );
        assert_eq!(
            some("a,(--ix)"),
            Some(("a,(ix)".into(), "ix".into(), "dec", true))
        );
        assert_eq!(
            some("(iy++ +5),b"),
            Some(("(iy +5),b".into(), "iy".into(), "inc", false))
        );
        assert_eq!(some("a,1--2"), None);
        assert_eq!(some("a,(é++)"), None);
        assert_eq!(
            (opposite("C"), opposite("ns"), opposite("x")),
            (Some("nc"), Some("m"), None)
        );
    }
}
