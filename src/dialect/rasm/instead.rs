//! Instructions that stand for others: `ld bc,de`, `push bc,de`, `nop 3`, `srl8 hl`.

use crate::diagnostic::{Diagnostic, codes};
use crate::image::Class;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

/// Instructions without operands of which a number behind them makes several.
const COUNTED: [&str; 10] = [
    "nop", "halt", "ldi", "ldd", "outi", "outd", "ini", "ind", "rlca", "rrca",
];

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
    let inner = word.strip_prefix('(')?.strip_suffix(')')?;
    let (register, rest) = inner.split_at_checked(2)?;
    let known =
        matches!(register, "ix" | "iy") && (rest.is_empty() || rest.starts_with(['+', '-']));
    known.then_some((register, rest))
}

/// The loads that a load stands for.
fn load(to: &str, from: &str) -> Option<Vec<String>> {
    let ld = |a: &str, b: &str| format!("ld {a},{b}");
    let plain = |w: &str| matches!(w, "bc" | "de" | "hl");
    let small = |w: &str| matches!(w, "bc" | "de");
    let index = |w: &str| matches!(w, "ix" | "iy");
    if to == "hl" && from == "sp" {
        return Some(vec!["ld hl,0".into(), "add hl,sp".into()]);
    }
    if let (Some(a), Some(b)) = (halves(to), halves(from)) {
        let one = plain(to) && plain(from);
        let taken = one || small(to) && index(from) || index(to) && small(from);
        return taken.then(|| vec![ld(a[0], b[0]), ld(a[1], b[1])]);
    }
    if let (Some([h, l]), Some((r, d))) = (halves(to).filter(|_| plain(to)), indexed(from)) {
        return Some(vec![
            ld(h, &format!("({r}{d}+1)")),
            ld(l, &format!("({r}{d})")),
        ]);
    }
    if let (Some((r, d)), Some([h, l])) = (indexed(to), halves(from).filter(|_| plain(from))) {
        return Some(vec![
            ld(&format!("({r}{d}+1)"), h),
            ld(&format!("({r}{d})"), l),
        ]);
    }
    None
}

/// What an instruction stands for that the processor does not have.
fn others(name: &str, operands: &[String]) -> Option<Vec<String>> {
    let words: Vec<&str> = operands.iter().map(String::as_str).collect();
    let pair = |w: &str| halves(w).filter(|_| matches!(w, "bc" | "de" | "hl"));
    let each = |list: &[(&str, &str)]| {
        let all = list.iter().map(|(name, r)| format!("{name} {r}"));
        Some(all.collect())
    };
    match (name, &words[..]) {
        ("ld", [to, from]) => load(to, from),
        ("ex", ["hl", "de"]) => Some(vec!["ex de,hl".into()]),
        ("ex", [r @ ("hl" | "ix" | "iy"), "(sp)"]) => Some(vec![format!("ex (sp),{r}")]),
        ("rl", [w]) => pair(w).and_then(|[h, l]| each(&[("rl", l), ("rl", h)])),
        ("rr", [w]) => pair(w).and_then(|[h, l]| each(&[("rr", h), ("rr", l)])),
        ("sla", [w]) => pair(w).and_then(|[h, l]| each(&[("sla", l), ("rl", h)])),
        ("sll", [w]) => pair(w).and_then(|[h, l]| each(&[("sll", l), ("rl", h)])),
        ("sra", [w]) => pair(w).and_then(|[h, l]| each(&[("sra", h), ("rr", l)])),
        ("srl", [w]) => pair(w).and_then(|[h, l]| each(&[("srl", h), ("rr", l)])),
        ("rlc", [w]) => {
            pair(w).and_then(|[h, l]| each(&[("sla", h), ("rl", l), ("rr", h), ("rlc", h)]))
        }
        ("rrc", [w]) => {
            pair(w).and_then(|[h, l]| each(&[("srl", h), ("rr", l), ("rl", h), ("rrc", h)]))
        }
        _ => None,
    }
}

impl Assembler<'_> {
    /// The operands in small letters without blanks.
    fn rasm_operands(&self, toks: &[Tok]) -> Vec<String> {
        let parts = split(toks);
        let text = |&(a, b): &(u32, u32)| {
            let text = self.written(&toks[a as usize..b as usize]);
            let small = text.chars().filter(|c| !c.is_whitespace());
            small.collect::<String>().to_ascii_lowercase()
        };
        parts.iter().map(text).collect()
    }

    /// Assembles other instructions in the place of this one.
    fn rasm_each(&mut self, list: &[String]) -> Outcome<()> {
        for text in list {
            let toks = self.made_line(text)?;
            let mnemonic = toks.first().map_or(0, |t| self.rasm_entry(t).mnemonic);
            if mnemonic == 0 {
                break;
            }
            self.mark_here();
            self.instruction(mnemonic - 1, &toks, 1)?;
        }
        Ok(())
    }

    /// Several instructions in one: `push bc,de`; false where there is one only.
    pub(super) fn rasm_several(&mut self, mnemonic: u16, toks: &[Tok]) -> Outcome<bool> {
        let name = self.words.mnemonics[usize::from(mnemonic)].name.clone();
        let parts = match name.as_str() {
            "ld" => return self.rasm_load(toks),
            "rst" | "push" | "pop" | "inc" | "dec" => split(&toks[1..]),
            _ => return Ok(false),
        };
        if parts.len() < 2 {
            return Ok(false);
        }
        if name == "rst" && parts.len() == 2 {
            return self.rasm_conditional_restart(toks);
        }
        for &(a, b) in &parts {
            let text = self.written(&toks[1 + a as usize..1 + b as usize]);
            self.rasm_each(&[format!("{name} {text}")])?;
        }
        Ok(true)
    }

    /// `ld bc,de`; false for what the processor has. A name behind it would be a value.
    fn rasm_load(&mut self, toks: &[Tok]) -> Outcome<bool> {
        let [.., before, last] = toks else {
            return Ok(false);
        };
        let [_, first, second, _, ..] = toks else {
            return Ok(false);
        };
        let pair = |t: &Tok| t.kind == Kind::Name && t.span.end - t.span.start == 2;
        let both = toks.len() == 4 && before.kind == Kind::Comma && pair(last);
        let from = second.kind == Kind::Comma && last.kind == Kind::Close && pair(first);
        let to = first.kind == Kind::Open && before.kind == Kind::Comma && pair(last);
        if !both && !from && !to {
            return Ok(false);
        }
        let words = self.rasm_operands(&toks[1..]);
        let [to, from] = &words[..] else {
            return Ok(false);
        };
        match load(to, from) {
            None => Ok(false),
            Some(list) => self.rasm_each(&list).map(|()| true),
        }
    }

    /// `rst nz,#38`: a jump into the byte that it jumps by, which is that instruction.
    fn rasm_conditional_restart(&mut self, toks: &[Tok]) -> Outcome<bool> {
        let operands = self.rasm_operands(&toks[1..]);
        let code = match operands[0].as_str() {
            "nz" => 0x20,
            "z" => 0x28,
            "nc" => 0x30,
            "c" => 0x38,
            _ => return Ok(false),
        };
        let at = split(&toks[1..])[1];
        let target = &toks[1 + at.0 as usize..1 + at.1 as usize];
        let n = self.known_here(&toks[0], target, "the address")?;
        if n != 0x38 {
            let d = Diagnostic::new(codes::OUT_OF_RANGE, format!("{n} is no such restart"));
            return Err(Box::new(d.at(self.span_of(target)).label("must be 56")));
        }
        self.emit_data(&[code, 0xff], Class::Data);
        Ok(true)
    }

    /// An instruction that no form takes.
    pub(super) fn rasm_instead(
        &mut self,
        mnemonic: u16,
        toks: &[Tok],
        from: usize,
    ) -> Outcome<bool> {
        let name = self.words.mnemonics[usize::from(mnemonic)].name.clone();
        let operands = self.rasm_operands(&toks[from..]);
        if let Some(list) = others(&name, &operands) {
            let done = self.rasm_each(&list);
            self.memo.not_again();
            return done.map(|()| true);
        }
        if !COUNTED.contains(&name.as_str()) || operands.len() != 1 {
            return Ok(false);
        }
        let n = self.known_here(&toks[0], &toks[from..], "the count")?;
        self.check_count(n, self.span_of(&toks[from..]))?;
        let one = [name];
        for _ in 0..n {
            self.account.spent.expanded += 1;
            if self.account.spent.expanded > limits::LINES || self.fatal {
                self.fatal = true;
                let d = Diagnostic::new(codes::ENDLESS_EXPANSION, "repeated too often");
                return Err(Box::new(d.at(self.statement)));
            }
            self.rasm_each(&one)?;
        }
        self.memo.not_again();
        Ok(true)
    }

    /// `exa`, `srl8 hl`.
    pub(super) fn rasm_own_instruction(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let done = if self.text(t).eq_ignore_ascii_case("exa") {
            self.rasm_nothing_behind(t, rest)?;
            self.rasm_each(&["ex af,af'".into()])
        } else {
            let operands = self.rasm_operands(rest);
            let pair = operands.first().filter(|_| operands.len() == 1);
            match pair.and_then(|p| halves(p)) {
                Some([h, l]) => self.rasm_each(&[format!("ld {l},{h}"), format!("ld {h},0")]),
                None => {
                    let d = Diagnostic::new(codes::BAD_OPERANDS, "expected a pair of registers");
                    Err(Box::new(d.at(t.span).help("`srl8 hl`")))
                }
            }
        };
        self.memo.not_again();
        done
    }
}

#[cfg(test)]
mod tests {
    use super::others;

    #[test]
    fn instructions_stand_for_others() {
        for (name, operands, want) in [
            ("ld", &["bc", "de"][..], "ld b,d:ld c,e"),
            ("ld", &["hl", "(ix+1)"], "ld h,(ix+1+1):ld l,(ix+1)"),
            ("ld", &["hl", "sp"], "ld hl,0:add hl,sp"),
            ("ld", &["ix", "bc"], "ld ixh,b:ld ixl,c"),
            ("srl", &["bc"], "srl b:rr c"),
            ("rlc", &["de"], "sla d:rl e:rr d:rlc d"),
        ] {
            let operands: Vec<String> = operands.iter().map(|&o| o.to_owned()).collect();
            let found = others(name, &operands).map(|l| l.join(":"));
            assert_eq!(found.as_deref(), Some(want), "{name} {operands:?}");
        }
        for operands in [["hl", "ix"], ["ix", "hl"], ["ix", "iy"]] {
            assert_eq!(others("ld", &operands.map(str::to_owned)), None);
        }
    }
}
