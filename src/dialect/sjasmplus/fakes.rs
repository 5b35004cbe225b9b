//! Instructions that stand for others: `ld bc,de`, `push bc,de`, `sub hl,bc`.
//!
//! What an instruction stands for is a text of others, which are assembled in its place.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

/// How deep such instructions may stand for each other.
const DEPTH: u32 = 4;

/// Instructions of one operand, of which several make several.
const ONE: [&str; 18] = [
    "inc", "dec", "push", "pop", "sub", "and", "or", "xor", "cp", "rst", "rlc", "rrc", "rl", "rr",
    "sla", "sra", "srl", "sll",
];
/// The same of two.
const TWO: [&str; 12] = [
    "ld", "ldi", "ldd", "add", "adc", "sbc", "ex", "bit", "res", "set", "in", "out",
];

/// Conditions of jumps, two of them by another name.
const CONDITIONS: [&str; 10] = ["nz", "z", "nc", "c", "po", "pe", "p", "m", "ns", "s"];

/// The halves of a pair of registers, the high one first.
fn halves(word: &str) -> Option<[&'static str; 2]> {
    Some(match word {
        "bc" => ["b", "c"],
        "de" => ["d", "e"],
        "hl" => ["h", "l"],
        "ix" => ["ixh", "ixl"],
        "iy" => ["iyh", "iyl"],
        _ => return None,
    })
}

/// The register and the rest of `(ix+1)`.
fn indexed(word: &str) -> Option<(&str, &str)> {
    let inner = word
        .strip_prefix(['(', '['])?
        .strip_suffix([')', ']'])?
        .trim();
    let (register, rest) = inner.split_at_checked(2)?;
    let rest = rest.trim();
    let known =
        matches!(register, "ix" | "iy") && (rest.is_empty() || rest.starts_with(['+', '-']));
    known.then_some((register, rest))
}

fn is_register(word: &str) -> bool {
    matches!(word, "a" | "b" | "c" | "d" | "e" | "h" | "l")
}

/// The loads that a load stands for.
fn load(to: &str, from: &str) -> Option<Vec<String>> {
    let ld = |a: &str, b: &str| format!("ld {a},{b}");
    let plain = |w: &str| matches!(w, "bc" | "de" | "hl");
    let index = |w: &str| matches!(w, "ix" | "iy");
    match (halves(to), halves(from)) {
        (Some(_), Some(_))
            if to == "hl" && index(from)
                || index(to) && from == "hl"
                || index(to) && index(from) && to != from =>
        {
            return Some(vec![format!("push {from}"), format!("pop {to}")]);
        }
        (Some(a), Some(b)) => return Some(vec![ld(a[0], b[0]), ld(a[1], b[1])]),
        _ => {}
    }
    if let (Some([h, l]), Some((r, d))) = (halves(to).filter(|_| plain(to)), indexed(from)) {
        return Some(vec![
            ld(l, &format!("({r}{d})")),
            ld(h, &format!("({r}{d}+1)")),
        ]);
    }
    if let (Some((r, d)), Some([h, l])) = (indexed(to), halves(from).filter(|_| plain(from))) {
        return Some(vec![
            ld(&format!("({r}{d})"), l),
            ld(&format!("({r}{d}+1)"), h),
        ]);
    }
    let memory = |w: &str| matches!(w, "(hl)" | "[hl]");
    let pair = |w: &str| halves(w).filter(|_| matches!(w, "bc" | "de"));
    if let (Some([h, l]), true) = (pair(to), memory(from)) {
        return Some(vec![
            ld(l, "(hl)"),
            "inc hl".into(),
            ld(h, "(hl)"),
            "dec hl".into(),
        ]);
    }
    if let (true, Some([h, l])) = (memory(to), pair(from)) {
        return Some(vec![
            ld("(hl)", l),
            "inc hl".into(),
            ld("(hl)", h),
            "dec hl".into(),
        ]);
    }
    None
}

/// What `ldi` and `ldd` with operands stand for: a load, and the pointer counted.
fn counted(up: bool, to: &str, from: &str) -> Option<Vec<String>> {
    let step = if up { "inc" } else { "dec" };
    let of = |w: &str| {
        let inner = w
            .strip_prefix(['(', '['])?
            .strip_suffix([')', ']'])?
            .trim()
            .to_owned();
        matches!(inner.as_str(), "bc" | "de" | "hl")
            .then_some(inner)
            .or_else(|| indexed(w).map(|(r, _)| r.to_owned()))
    };
    let (pointer, other, store) = match (of(to), of(from)) {
        (Some(p), None) => (p, from, true),
        (None, Some(p)) => (p, to, false),
        _ => return None,
    };
    let memory = if store { to } else { from };
    let ld = |r: &str| match store {
        true => format!("ld {memory},{r}"),
        false => format!("ld {r},{memory}"),
    };
    match halves(other) {
        None => Some(vec![ld(other), format!("{step} {pointer}")]),
        Some([h, l]) if up => Some(vec![
            ld(l),
            format!("inc {pointer}"),
            ld(h),
            format!("inc {pointer}"),
        ]),
        Some(_) => None,
    }
}

/// What an instruction stands for that the processor does not have.
fn others(name: &str, operands: &[String]) -> Option<Vec<String>> {
    let words: Vec<&str> = operands.iter().map(String::as_str).collect();
    let both = |pair: &str, high: &str, low: &str, down: bool| {
        let [h, l] = halves(pair)?;
        Some(match down {
            true => vec![format!("{high} {h}"), format!("{low} {l}")],
            false => vec![format!("{low} {l}"), format!("{high} {h}")],
        })
    };
    let pair = |w: &str| matches!(w, "bc" | "de" | "hl");
    let port = |w: &str| !w.starts_with(['(', '[']) && !is_register(w) && halves(w).is_none();
    match (name, &words[..]) {
        ("in", ["a", p]) if port(p) => Some(vec![format!("in a,({p})")]),
        ("out", [p, "a"]) if port(p) => Some(vec![format!("out ({p}),a")]),
        ("ld", [to, from]) => load(to, from),
        ("ldi", [to, from]) => counted(true, to, from),
        ("ldd", [to, from]) => counted(false, to, from),
        ("ex", ["af"] | ["af", "af"]) => Some(vec!["ex af,af'".into()]),
        ("ex", [r @ ("hl" | "ix" | "iy"), "(sp)"]) => Some(vec![format!("ex (sp),{r}")]),
        ("ret", [c @ ("s" | "ns")]) => Some(vec![format!("ret {}", sign(c))]),
        ("jp" | "call", [c @ ("s" | "ns"), to]) => Some(vec![format!("{name} {},{to}", sign(c))]),
        ("ex", ["hl", "de"]) => Some(vec!["ex de,hl".into()]),
        ("sub", ["hl", w]) if pair(w) || *w == "sp" => {
            Some(vec!["or a".into(), format!("sbc hl,{w}")])
        }
        ("sub" | "sbc", ["de", w]) if pair(w) || *w == "sp" => {
            let w = swapped(w);
            let mut all = vec!["ex de,hl".into(), format!("sbc hl,{w}"), "ex de,hl".into()];
            if name == "sub" {
                all.insert(0, "or a".into());
            }
            Some(all)
        }
        ("add" | "adc", ["de", w]) if pair(w) || *w == "sp" => {
            let w = swapped(w);
            Some(vec![
                "ex de,hl".into(),
                format!("{name} hl,{w}"),
                "ex de,hl".into(),
            ])
        }
        ("rl", [w]) if pair(w) => both(w, "rl", "rl", false),
        ("sla", ["hl"]) => Some(vec!["add hl,hl".into()]),
        ("sla", [w]) if pair(w) => both(w, "rl", "sla", false),
        ("sll", [w]) if pair(w) => both(w, "rl", "sll", false),
        ("rr", [w]) if pair(w) => both(w, "rr", "rr", true),
        ("sra", [w]) if pair(w) => both(w, "sra", "rr", true),
        ("srl", [w]) if pair(w) => both(w, "srl", "rr", true),
        _ => None,
    }
}

/// The condition of a sign by its usual name.
fn sign(word: &str) -> &str {
    match word {
        "s" => "m",
        _ => "p",
    }
}

/// `hl` and `de` are exchanged around the instruction.
fn swapped(word: &str) -> &str {
    match word {
        "hl" => "de",
        "de" => "hl",
        w => w,
    }
}

impl Assembler<'_> {
    fn sj_operands(&self, toks: &[Tok]) -> Vec<String> {
        let parts = split(toks);
        let text = |&(a, b): &(u32, u32)| self.written(&toks[a as usize..b as usize]);
        parts.iter().map(text).collect()
    }

    /// Registers and pointers in small letters, without blanks; other operands as they are.
    fn sj_simple(operand: &str) -> String {
        let small: String = operand.chars().filter(|c| !c.is_whitespace()).collect();
        let small = small.to_ascii_lowercase();
        let known = halves(&small).is_some()
            || is_register(&small)
            || matches!(
                small.as_str(),
                "s" | "ns"
                    | "(sp)"
                    | "af"
                    | "sp"
                    | "(hl)"
                    | "[hl]"
                    | "(bc)"
                    | "(de)"
                    | "[bc]"
                    | "[de]"
            );
        match known {
            true => small,
            false => match indexed(&small) {
                // Only the register is folded: names keep their letters.
                Some((r, _)) => {
                    let inner = operand.trim().trim_matches(['(', ')', '[', ']']).trim();
                    format!("({r}{})", inner.get(2..).unwrap_or("").trim())
                }
                None => operand.to_owned(),
            },
        }
    }

    /// Assembles other instructions in the place of this one.
    pub(super) fn sj_instead(&mut self, list: &[String]) -> Outcome<()> {
        let state = self.own.get_mut::<State>();
        state.fakes += 1;
        if state.fakes > DEPTH {
            state.fakes = 0;
            let d = Diagnostic::new(codes::BAD_OPERANDS, "no form takes these operands");
            return Err(Box::new(d.at(self.statement)));
        }
        let mut done = Ok(());
        for text in list {
            let toks = match self.made_line(text) {
                Ok(toks) => toks,
                Err(d) => {
                    done = Err(d);
                    break;
                }
            };
            let name = toks.first().map_or("", |t| self.sources.slice(t.span));
            let mnemonic = self.words.get(name).mnemonic;
            if mnemonic == 0 {
                break;
            }
            self.mark_here();
            done = self.instruction(mnemonic - 1, &toks, 1);
            if done.is_err() {
                break;
            }
        }
        let state = self.own.get_mut::<State>();
        state.fakes = state.fakes.saturating_sub(1);
        done
    }

    /// Several instructions in one: `push bc,de`, `ld a,1,b,2`, `sub a,b`; false where
    /// there is one only.
    pub(super) fn sj_several(&mut self, mnemonic: u16, toks: &[Tok], from: usize) -> Outcome<bool> {
        let switches = self.sj_switches();
        if switches.two_commas {
            return self.sj_several_apart(mnemonic, toks, from);
        }
        let parts = split(&toks[from..]);
        if parts.len() < 2 {
            return Ok(false);
        }
        let first = &toks[from..][parts[0].0 as usize..parts[0].1 as usize];
        if parts.len() == 2 && self.sj_is_one(mnemonic, first) {
            return Ok(false);
        }
        let name = self.words.mnemonics[usize::from(mnemonic)].name.clone();
        let operands = self.sj_operands(&toks[from..]);
        let simple: Vec<String> = operands.iter().map(|o| Self::sj_simple(o)).collect();
        if matches!(name.as_str(), "jp" | "call" | "jr") {
            return self.sj_several_jumps(mnemonic, &name, &operands);
        }
        // In sjasm the register that is meant anyway may be written.
        if self.dialect.name == "sjasm"
            && matches!(name.as_str(), "sub" | "and" | "or" | "xor" | "cp")
            && parts.len() == 2
            && simple[0] == "a"
        {
            let one = [format!("{name} {}", operands[1])];
            return self.sj_each(mnemonic, &one).map(|()| true);
        }
        let wide = |w: &str| halves(w).is_some() || w == "sp";
        let arity = match name.as_str() {
            "sub" if wide(&simple[0]) => 2,
            // A copy of what is written back to memory.
            n if ONE[10..].contains(&n)
                && indexed(&simple[0]).is_some()
                && is_register(&simple[1]) =>
            {
                2
            }
            n if ONE.contains(&n) => 1,
            "set" | "res"
                if simple.len() > 2 && indexed(&simple[1]).is_some() && is_register(&simple[2]) =>
            {
                3
            }
            // A name before a comma is rather another processor's register.
            "add" | "adc" | "sbc" if simple[0] != "a" && !wide(&simple[0]) => {
                let first = simple[0].bytes().next().unwrap_or(b'_');
                match is_register(&simple[0]) || !(first.is_ascii_alphabetic() || first == b'_') {
                    true => 1,
                    false => return Ok(false),
                }
            }
            n if TWO.contains(&n) => 2,
            _ => return Ok(false),
        };
        if parts.len() <= arity {
            return Ok(false);
        }
        let mut list: Vec<String> = operands
            .chunks(arity)
            .map(|c| format!("{name} {}", c.join(",")))
            .collect();
        if switches.reverse_pop && name == "pop" {
            list.reverse();
        }
        self.sj_each(mnemonic, &list).map(|()| true)
    }

    /// Whether two operands are those of one instruction, as the first of them and its name
    /// alone tell.
    fn sj_is_one(&self, mnemonic: u16, first: &[Tok]) -> bool {
        let name = self.words.mnemonics[usize::from(mnemonic)].name.as_str();
        let word = || match first {
            [t] if t.kind == Kind::Name => self.sources.slice(t.span),
            _ => "",
        };
        match name {
            "jp" | "call" | "jr" => {
                word().len() <= 2 && word().starts_with(|c: char| c.is_ascii_alphabetic())
            }
            "add" | "adc" | "sbc" => ["a", "hl"].iter().any(|w| word().eq_ignore_ascii_case(w)),
            "sub" => false,
            name => TWO.contains(&name),
        }
    }

    /// Several places to go to, each with its condition or without: `jp z,a,b`.
    fn sj_several_jumps(
        &mut self,
        mnemonic: u16,
        name: &str,
        operands: &[String],
    ) -> Outcome<bool> {
        let condition = |o: &String| CONDITIONS.iter().any(|c| c.eq_ignore_ascii_case(o.trim()));
        // A short name before a comma is rather a condition that is misspelt.
        if let [first, _] = operands
            && first.trim().len() <= 2
            && first.trim().starts_with(|c: char| c.is_ascii_alphabetic())
        {
            return Ok(false);
        }
        let mut list = Vec::new();
        let mut rest = operands;
        while let [first, more @ ..] = rest {
            let own = 1 + usize::from(condition(first) && !more.is_empty());
            list.push(format!("{name} {}", rest[..own].join(",")));
            rest = &rest[own..];
        }
        match list.len() {
            0 | 1 => Ok(false),
            _ => self.sj_each(mnemonic, &list).map(|()| true),
        }
    }

    /// The same where two commas stand between the operands of one and of the next.
    fn sj_several_apart(&mut self, mnemonic: u16, toks: &[Tok], from: usize) -> Outcome<bool> {
        let parts = split(&toks[from..]);
        if !parts.iter().any(|p| p.0 == p.1) {
            return Ok(false);
        }
        let name = self.words.mnemonics[usize::from(mnemonic)].name.clone();
        let operands = self.sj_operands(&toks[from..]);
        let mut list: Vec<String> = operands
            .split(String::is_empty)
            .map(|c| format!("{name} {}", c.join(",")))
            .collect();
        if self.sj_switches().reverse_pop && name == "pop" {
            list.reverse();
        }
        self.sj_each(mnemonic, &list).map(|()| true)
    }

    /// Assembles instructions of one name.
    fn sj_each(&mut self, mnemonic: u16, list: &[String]) -> Outcome<()> {
        let mut all = Ok(());
        for text in list {
            let toks = self.made_line(text)?;
            self.mark_here();
            if self.sj_stands_for_others(mnemonic, &toks[1..])
                && self.sj_fake(mnemonic, &toks, 1)?
            {
                continue;
            }
            all = self.instruction(mnemonic, &toks, 1);
            if all.is_err() {
                break;
            }
        }
        all
    }

    /// Whether an instruction may stand for others, by the pairs of registers in it.
    pub(super) fn sj_stands_for_others(&self, mnemonic: u16, operands: &[Tok]) -> bool {
        if self.sj_switches().no_fakes {
            return false;
        }
        let least = match self.words.mnemonics[usize::from(mnemonic)].name.as_str() {
            "ld" | "add" | "adc" | "sub" | "sbc" => 2,
            "ret" | "jp" | "call" => {
                let sign = operands.first().map_or("", |t| self.sources.slice(t.span));
                return sign.eq_ignore_ascii_case("s") || sign.eq_ignore_ascii_case("ns");
            }
            // A port without parentheses.
            "in" | "out" => {
                let open = |t: &Tok| matches!(t.kind, Kind::Open | Kind::SquareOpen);
                return !operands.iter().any(open);
            }
            "ldi" | "ldd" | "ex" | "rl" | "rr" | "sla" | "sra" | "srl" | "sll" => 1,
            _ => return false,
        };
        let pair = |t: &&Tok| {
            let text = self.sources.slice(t.span);
            let is = |p: &str| text.eq_ignore_ascii_case(p);
            text.len() == 2
                && ["bc", "de", "hl", "ix", "iy", "sp", "af"]
                    .into_iter()
                    .any(is)
        };
        operands.iter().filter(pair).count() >= least
    }

    /// An instruction that stands for others; false if it does not.
    pub(super) fn sj_fake(&mut self, mnemonic: u16, toks: &[Tok], from: usize) -> Outcome<bool> {
        let name = self.words.mnemonics[usize::from(mnemonic)].name.clone();
        let operands = self.sj_operands(&toks[from..]);
        let simple: Vec<String> = operands.iter().map(|o| Self::sj_simple(o)).collect();
        match others(&name, &simple) {
            Some(list) => self.sj_instead(&list).map(|()| true),
            None => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::others;

    #[test]
    fn instructions_stand_for_others() {
        for (name, operands, want) in [
            ("ld", &["bc", "de"][..], "ld b,d:ld c,e"),
            ("ld", &["hl", "(ix+1)"], "ld l,(ix+1):ld h,(ix+1+1)"),
            ("ld", &["ix", "bc"], "ld ixh,b:ld ixl,c"),
            ("ld", &["hl", "iy"], "push iy:pop hl"),
            ("sub", &["hl", "bc"], "or a:sbc hl,bc"),
            ("add", &["de", "hl"], "ex de,hl:add hl,de:ex de,hl"),
            ("ldi", &["(hl)", "bc"], "ld (hl),c:inc hl:ld (hl),b:inc hl"),
            ("srl", &["bc"], "srl b:rr c"),
            ("sla", &["de"], "sla e:rl d"),
        ] {
            let operands: Vec<String> = operands.iter().map(|&o| o.to_owned()).collect();
            let found = others(name, &operands).map(|l| l.join(":"));
            assert_eq!(found.as_deref(), Some(want), "{name} {operands:?}");
        }
        assert_eq!(others("cp", &["hl".to_owned(), "de".to_owned()]), None);
    }
}
