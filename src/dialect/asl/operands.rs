//! Instructions as AS writes them.

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::read::Assembler;
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};

/// Names of conditions beside the maker's.
const CONDITIONS: [(&str, &str); 4] = [("nv", "po"), ("v", "pe"), ("ns", "p"), ("s", "m")];

/// Names of halves of index registers beside the usual ones.
const HALVES: [(&str, &str); 2] = [("ixu", "ixh"), ("iyu", "iyh")];

/// Instructions with a shorter name.
const WHOLE: [(&str, &str); 2] = [("exa", "ex af,af'"), ("exd", "ex de,hl")];

/// Whether a word is half of an index register.
pub(super) fn is_half(word: &str) -> bool {
    HALVES.iter().any(|h| h.0.eq_ignore_ascii_case(word))
}

impl Assembler<'_> {
    /// The tokens of a list in which runs of `-` and `+` that stand alone are the labels
    /// that they mean.
    pub(super) fn asl_marks(&mut self, toks: &[Tok]) -> Outcome<Option<Vec<Tok>>> {
        let sign = |t: &Tok| matches!(t.kind, Kind::Minus | Kind::Plus);
        let ends = |t: Option<&Tok>| t.is_none_or(|t| matches!(t.kind, Kind::Comma | Kind::Close));
        let any = (0..toks.len()).any(|i| sign(&toks[i]) && ends(toks.get(i + 1)));
        if !any {
            return Ok(None);
        }
        let mut out: Vec<Tok> = Vec::with_capacity(toks.len());
        let mut i = 0;
        while i < toks.len() {
            let t = toks[i];
            let begins = out.last().is_none_or(|b| {
                matches!(b.kind, Kind::Comma | Kind::Open | Kind::Name) && {
                    // A name before it is the mnemonic.
                    b.kind != Kind::Name || out.len() == 1
                }
            });
            let n = toks[i..].iter().take_while(|s| s.kind == t.kind).count();
            if !sign(&t) || !begins || !ends(toks.get(i + n)) {
                out.push(t);
                i += 1;
                continue;
            }
            let Some(name) = self.asl_near(t.kind, n) else {
                let span = self.span_of(&toks[i..i + n]);
                let d = Diagnostic::new(codes::UNKNOWN_SYMBOL, "there is no such label near");
                return Err(Box::new(d.at(span)));
            };
            let made = self.made_line(&name)?;
            out.extend(made);
            i += n;
        }
        self.memo.not_again();
        Ok(Some(out))
    }

    /// An instruction in other words, where AS has such.
    pub(super) fn asl_rewritten(&mut self, toks: &[Tok]) -> Outcome<Option<Vec<Tok>>> {
        if toks.len() == 1 {
            let text = self.sources.slice(toks[0].span);
            let whole = WHOLE.iter().find(|w| w.0.eq_ignore_ascii_case(text));
            return match whole {
                Some(w) => self.made_line(w.1).map(Some),
                None => Ok(None),
            };
        }
        if toks.len() == 2
            && self.sources.slice(toks[1].span).eq_ignore_ascii_case("a")
            && let name = self.sources.slice(toks[0].span).to_ascii_lowercase()
            && matches!(name.as_str(), "neg" | "cpl")
        {
            return self.made_line(&name).map(Some);
        }
        if self.asl_is_8080() && self.sources.slice(toks[0].span).eq_ignore_ascii_case("rst") {
            let n = self.known_here(&toks[0], &toks[1..], "the number")?;
            if (0..8).contains(&n) {
                return self.made_line(&format!("rst {}", n * 8)).map(Some);
            }
        }
        let marked = self.asl_marks(toks)?;
        let toks = marked.as_deref().unwrap_or(toks);
        let mut text = None;
        let rich = self.asl_needs_number(&toks[1..]);
        let name = self.sources.slice(toks[0].span).to_ascii_lowercase();
        let parts = split(&toks[1..]);
        let conditional = matches!(name.as_str(), "jp" | "call" | "ret");
        let first = self.sources.slice(toks[1].span);
        let alias = CONDITIONS.iter().find(|c| c.0.eq_ignore_ascii_case(first));
        let alone = parts[0].1 - parts[0].0 == 1;
        if conditional
            && alone
            && (parts.len() == 2 || name == "ret")
            && let Some(c) = alias
        {
            let rest = self.written(&toks[2..]);
            text = Some(format!("{name} {}{rest}", c.1));
        }
        let half = toks[1..].iter().any(|t| {
            let text = self.sources.slice(t.span);
            t.kind == Kind::Name && is_half(text)
        });
        let loose = matches!(name.as_str(), "in" | "out") && parts.len() == 2;
        if text.is_none() && !rich && !half && !loose && !self.asl_swaps(&name, toks) {
            return Ok(marked);
        }
        if text.is_none() {
            text = self.asl_spelled(&name, toks, loose)?;
        }
        match text {
            Some(text) => self.made_line(&text).map(Some),
            None => Ok(marked),
        }
    }

    /// Whether operands have what the engine's expressions do not.
    fn asl_needs_number(&self, toks: &[Tok]) -> bool {
        let joins = split(toks)
            .into_iter()
            .any(|(a, b)| self.asl_joins(&toks[a as usize..b as usize]));
        joins
            || toks.iter().enumerate().any(|(i, t)| {
                let joined = |kind: Kind| {
                    toks.get(i + 1)
                        .is_some_and(|n| n.kind == kind && n.span.start == t.span.end)
                };
                match t.kind {
                    Kind::Caret => true,
                    Kind::Tilde => joined(Kind::Tilde),
                    Kind::Bang => joined(Kind::Bang),
                    Kind::Greater => joined(Kind::Less),
                    _ => false,
                }
            })
    }

    /// Whether the register comes before the memory, as in `rlc b,(ix+1)`.
    fn asl_swaps(&self, name: &str, toks: &[Tok]) -> bool {
        let rotates = matches!(
            name,
            "rlc"
                | "rrc"
                | "rl"
                | "rr"
                | "sla"
                | "sra"
                | "sli"
                | "sll"
                | "sls"
                | "slia"
                | "sl1"
                | "srl"
                | "set"
                | "res"
        );
        let parts = split(&toks[1..]);
        let wanted = 2 + usize::from(matches!(name, "set" | "res"));
        rotates
            && parts.len() == wanted
            && toks[1].kind == Kind::Name
            && self.word_of(&toks[1]) != 0
            && parts[0].1 == 1
    }

    /// The instruction with operands as the engine takes them.
    fn asl_spelled(&mut self, name: &str, toks: &[Tok], loose: bool) -> Outcome<Option<String>> {
        let mut parts = Vec::new();
        for (a, b) in split(&toks[1..]) {
            let part = &toks[1 + a as usize..1 + b as usize];
            if part.is_empty() {
                return Ok(None);
            }
            let text = self.written(part);
            let half = HALVES.iter().find(|h| h.0.eq_ignore_ascii_case(&text));
            parts.push(match half {
                Some(h) => h.1.to_owned(),
                None if self.asl_needs_number(part) => self.asl_computed(&toks[0], part)?,
                None => text,
            });
        }
        if self.asl_swaps(name, toks) {
            let first = parts.remove(0);
            parts.push(first);
        }
        if loose {
            // A port needs no brackets.
            let k = usize::from(name == "in");
            let part = split(&toks[1..])[k];
            let port = &toks[1 + part.0 as usize..1 + part.1 as usize];
            let own = self.word_of(&port[0]) != 0 && port.len() == 1;
            let bracketed = port[0].kind == Kind::Open && self.asl_is_wrapped(port);
            if own || bracketed && half_alone(&parts, toks, self) {
                return Ok(None);
            }
            if !bracketed {
                parts[k] = format!("({})", parts[k]);
            }
        }
        Ok(Some(format!("{name} {}", parts.join(","))))
    }

    /// Whether the bracket at the start closes at the very end.
    fn asl_is_wrapped(&self, toks: &[Tok]) -> bool {
        let mut depth = 0i32;
        for (i, t) in toks.iter().enumerate() {
            depth += i32::from(t.kind == Kind::Open) - i32::from(t.kind == Kind::Close);
            if depth == 0 {
                return i + 1 == toks.len();
            }
        }
        false
    }

    /// An operand whose value is computed here, with its brackets and its index register.
    fn asl_computed(&mut self, t: &Tok, part: &[Tok]) -> Outcome<String> {
        let wrapped = part[0].kind == Kind::Open && self.asl_is_wrapped(part);
        let inner = if wrapped {
            &part[1..part.len() - 1]
        } else {
            part
        };
        let (register, value) = match inner {
            [r, sign, value @ ..] if self.word_of(r) != 0 && sign.kind == Kind::Plus => {
                (Some(self.text(r).to_owned()), value)
            }
            _ => (None, inner),
        };
        let v = self.asl_known(t, value, "the value")?;
        let span = self.span_of(part);
        let n = self.asl_number_of(&v, span)?;
        let decimal = self.own.get::<State>().forms.radix == 10;
        let n = match decimal {
            true => n.to_string(),
            false => format!("{}0{:x}h", if n < 0 { "-" } else { "" }, n.unsigned_abs()),
        };
        let text = register.map_or(n.clone(), |r| format!("{r}+{n}"));
        Ok(match wrapped {
            true => format!("({text})"),
            false => text,
        })
    }
}

/// Whether no operand was written anew.
fn half_alone(parts: &[String], toks: &[Tok], a: &Assembler<'_>) -> bool {
    let old = split(&toks[1..]);
    old.iter()
        .zip(parts)
        .all(|(&(x, y), p)| a.written(&toks[1 + x as usize..1 + y as usize]) == *p)
}
