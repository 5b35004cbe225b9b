//! Instructions in the words of the source: as the statement that they replace was written,
//! as far as that is possible.

use super::names::Here;
use super::statements::{Statement, pieces};
use super::{Line, Writer};
use crate::optimize::flow::{Kind, Node};
use crate::optimize::trace::Tag;
use crate::program::eval::Op;
use crate::program::symbol::{Anchor, ExprId};
use crate::program::{Program, Value};
use scrimp_isa::{Base, Outline};

/// A value of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Number(i64),
    Expr(ExprId),
}

/// An operand of an instruction.
#[derive(Clone, Debug)]
struct Operand {
    outline: Outline,
    word: &'static str,
    second: &'static str,
    key: Option<Key>,
    /// What it is worth.
    value: i64,
}

/// An instruction by its words and values.
#[derive(Clone, Debug)]
struct Words {
    mnemonic: String,
    operands: Vec<Operand>,
}

impl Writer<'_, '_> {
    /// Whether anything of a place is other than it was.
    pub(super) fn is_changed(&self, n: usize) -> bool {
        let p = &self.places[n];
        !p.labels.is_empty() || !p.asked.is_empty() || !self.is_intact(n)
    }

    /// Whether the statement of a place stands as it was.
    pub(super) fn is_intact(&self, n: usize) -> bool {
        self.stands_behind(n, 0)
    }

    /// How many items of padding stand before what a place says still.
    pub(super) fn padded(&self, n: usize) -> Option<usize> {
        let plain = |a: &&Anchor| self.tag(**a) == Tag::default();
        let count = self.places[n].now.iter().take_while(plain).count();
        (count > 0 && self.stands_behind(n, count)).then_some(count)
    }

    /// Whether all behind the first items of a place is as it was.
    fn stands_behind(&self, n: usize, first: usize) -> bool {
        let p = &self.places[n];
        let all = p.items.iter().zip(&p.now[first..]);
        p.now.len() == p.items.len() + first
            && all.into_iter().all(|(old, new)| {
                let tag = self.tag(*new);
                let stays = tag.by.is_none() && tag.old == Some((old.chunk, old.item));
                let related = self.related.contains(&(old.chunk, old.item));
                stays && (!related || self.leads_there(*old, *new))
            })
    }

    /// Whether what was written still leads where the new item does.
    fn leads_there(&self, old: Anchor, new: Anchor) -> bool {
        let words = |program: &Program<'_>, node: Option<&Node>| self.words(program, node?);
        let (a, b) = (
            words(self.old, self.was(old)),
            words(self.new, self.now(new)),
        );
        let (Some(a), Some(b)) = (a, b) else {
            return false;
        };
        let all = a.operands.iter().zip(&b.operands);
        a.operands.len() == b.operands.len() && all.clone().all(|(x, y)| self.same(old, x, y))
    }

    /// Whether two operands are the same, the first as an old item wrote it.
    fn same(&self, old: Anchor, a: &Operand, b: &Operand) -> bool {
        if (a.outline, a.word, a.second) != (b.outline, b.word, b.second) {
            return false;
        }
        match (a.key, b.key) {
            (a, b) if a == b => true,
            (Some(a), Some(_)) if self.related.contains(&(old.chunk, old.item)) => {
                let now = match a {
                    Key::Number(n) => Some(n),
                    Key::Expr(e) => self.worth(e),
                };
                now == Some(b.value)
            }
            _ => false,
        }
    }

    fn worth(&self, e: ExprId) -> Option<i64> {
        let (layout, values) = (&self.placed.layout, &self.placed.values);
        self.new.value_of(Value::Expr(e), layout, values).ok()
    }

    /// An instruction in words; nothing for what is none, or has no words.
    fn words(&self, program: &Program<'_>, node: &Node) -> Option<Words> {
        if node.kind != Kind::Code {
            return None;
        }
        let target = program.target;
        let decoded = target.decode_on(node.code(), node.address, program.machine)?;
        let form = &program.forms[decoded.form];
        if form.name.starts_with('*') || decoded.operands.len() != form.operand_names().count() {
            return None;
        }
        let letter = |c: u8| program.operands[usize::from(c)].value.map(|v| v.field);
        let operands = decoded.operands.iter().map(|f| {
            let operand = &program.operands[usize::from(f.class)];
            let own = operand.value.filter(|v| v.field != 0).and_then(|v| {
                let mut all = node.operands.iter();
                all.find(|o| letter(o.class) == Some(v.field))
            });
            let unit = match operand.value.map(|v| v.base) {
                Some(Base::Relative { .. }) if program.counts_words() => {
                    i64::from(program.chunks[node.at.chunk as usize].unit.max(1))
                }
                _ => 1,
            };
            let plain = f.value.map(|v| v / unit);
            let key = match own.and_then(|o| o.expr) {
                Some(e) => Some(Key::Expr(e)),
                None => plain.map(Key::Number),
            };
            Operand {
                outline: operand.outline,
                word: f.word.unwrap_or(""),
                second: f.second.unwrap_or(""),
                key,
                value: match own.filter(|o| o.expr.is_some()) {
                    Some(o) => o.value,
                    None => plain.unwrap_or(0),
                },
            }
        });
        Some(Words {
            mnemonic: form.name.to_owned(),
            operands: operands.collect(),
        })
    }

    /// Old items whose texts may be used for a new one, with their places: that of the same
    /// place first.
    fn donors(&self, n: usize, at: Anchor) -> Vec<(usize, Anchor)> {
        let tag = self.tag(at);
        let mut all: Vec<(u32, u32)> = Vec::new();
        let own = &self.places[n].items;
        all.extend(own.iter().map(|a| (a.chunk, a.item)));
        all.extend(tag.old);
        all.extend(
            tag.by
                .iter()
                .flat_map(|&b| self.trace.change(b).took.iter()),
        );
        all.dedup();
        let known = |&(chunk, item): &(u32, u32)| {
            let place = *self.of.get(&(chunk, item))?;
            let alone = self.places[place].items.len() == 1;
            let plus = 0;
            alone.then_some((place, Anchor { chunk, item, plus }))
        };
        all.iter().filter_map(known).collect()
    }

    /// The `k`-th item of a place in words; the error is why it has none.
    pub(super) fn render(&self, n: usize, k: usize) -> Result<Line, &'static str> {
        let p = &self.places[n];
        let at = p.now[k];
        let tag = self.tag(at);
        if tag.old.is_none() && tag.by.is_none() {
            return self.padding(at);
        }
        let node = self.now(at).ok_or("it is no item")?;
        let words = self.words(self.new, node);
        let words = words.ok_or("the instruction has no words of its own")?;
        let donors = self.donors(n, at);
        let texts: Vec<(usize, Anchor, Words, Vec<String>)> = donors
            .iter()
            .filter_map(|&(place, old)| {
                let words = self.words(self.old, self.was(old)?)?;
                let statement = self.statement(place)?;
                let pieces = pieces(&statement.operands);
                (pieces.len() == words.operands.len()).then_some((place, old, words, pieces))
            })
            .collect();
        let own = texts.iter().find(|t| t.0 == n);
        let style = self.statement(n).unwrap_or_default();
        let mut operands = Vec::new();
        for (i, o) in words.operands.iter().enumerate() {
            let same = own
                .filter(|(_, old, w, _)| w.operands.get(i).is_some_and(|a| self.same(*old, a, o)));
            operands.push(match same {
                Some((_, _, _, pieces)) => pieces[i].clone(),
                None => self.operand(n, k, o, &texts, &style)?,
            });
        }
        let before =
            own.filter(|(_, _, w, pieces)| w.mnemonic == words.mnemonic && *pieces == operands);
        if before.is_some() && k == 0 {
            return Ok(Line::Same);
        }
        let mnemonic = match before {
            Some(_) => style.mnemonic.clone(),
            None if style.upper => words.mnemonic.to_ascii_uppercase(),
            None => words.mnemonic,
        };
        if operands.is_empty() {
            return Ok(Line::Text(mnemonic));
        }
        // Operands stay in their column.
        let wide = (style.mnemonic.len() + style.gap.len()).saturating_sub(mnemonic.len());
        let gap = match style.gap.as_str() {
            "" => " ".to_owned(),
            g if g.bytes().all(|b| b == b' ') && g.len() > 1 => " ".repeat(wide.max(1)),
            g => g.to_owned(),
        };
        let comma = if style.spaced { ", " } else { "," };
        Ok(Line::Text(format!(
            "{mnemonic}{gap}{}",
            operands.join(comma)
        )))
    }

    /// An operand as it is written anew.
    fn operand(
        &self,
        n: usize,
        k: usize,
        o: &Operand,
        texts: &[(usize, Anchor, Words, Vec<String>)],
        style: &Statement,
    ) -> Result<String, &'static str> {
        let case = |w: &str| match style.upper {
            true => w.to_ascii_uppercase(),
            false => w.to_owned(),
        };
        let (first, second) = (case(o.word), case(o.second));
        let value = match o.key {
            Some(key) => self.value(n, k, key, o, texts)?,
            None => String::new(),
        };
        let plain = value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let signed = match o.key {
            Some(Key::Number(v)) if v < 0 => v.to_string(),
            _ if plain => format!("+{value}"),
            _ => format!("+({value})"),
        };
        Ok(match o.outline {
            Outline::Word => first,
            Outline::Value => value,
            Outline::RoundWord => format!("({first})"),
            Outline::RoundValue => format!("({value})"),
            Outline::RoundWordValue => format!("({first}{signed})"),
            Outline::WordIncrement => format!("{first}+"),
            Outline::WordDoubleIncrement => format!("{first}++"),
            Outline::WordDecrement => format!("-{first}"),
            Outline::WordValue => format!("{first}{signed}"),
            Outline::SquareWord => format!("[{first}]"),
            Outline::SquareValue => format!("[{value}]"),
            Outline::SquareWordValue => format!("[{first},{value}]"),
            Outline::SquareWordWord => format!("[{first},{second}]"),
            Outline::SquareWordWordIncrement => format!("[{first},{second}++]"),
            _ => return Err("its operand has no known outline"),
        })
    }

    /// A value: as one of the statements wrote it that it comes from, else anew.
    fn value(
        &self,
        n: usize,
        k: usize,
        key: Key,
        o: &Operand,
        texts: &[(usize, Anchor, Words, Vec<String>)],
    ) -> Result<String, &'static str> {
        for (place, _, words, pieces) in texts {
            let all = words.operands.iter().zip(pieces);
            for (own, piece) in all.filter(|(own, _)| own.key == Some(key)) {
                let text = match own.outline {
                    Outline::Value => piece.as_str(),
                    Outline::RoundValue => match piece.get(1..piece.len().saturating_sub(1)) {
                        Some(inner) => inner.trim(),
                        None => continue,
                    },
                    _ => continue,
                };
                let lone = !text.starts_with('(') || o.outline != Outline::Value;
                if lone && (*place == n && !text.is_empty() || self.travels(*place, key, text)) {
                    return Ok(text.to_owned());
                }
            }
        }
        match key {
            Key::Number(v) => Ok(v.to_string()),
            Key::Expr(e) => {
                let text = self
                    .names
                    .expression(self.new, &self.labels, e, self.here(n, k));
                let text = text.ok_or("a name in it cannot be written there")?;
                // In parentheses it would be memory.
                match text.starts_with('(') && o.outline == Outline::Value {
                    true => Ok(format!("0+{text}")),
                    false => Ok(text),
                }
            }
        }
    }

    /// From where the `k`-th item of a place names others.
    fn here(&self, n: usize, k: usize) -> Here {
        let p = &self.places[n];
        let owner = self.old.item(p.items[0]).map(|i| i.owner);
        let owner = owner.filter(|&o| (o as usize) < self.old.symbols.len());
        let behind = p.labels.iter().any(|l| l.0 <= k);
        Here {
            source: p.span.source.0,
            owner: owner
                .filter(|_| !behind)
                .map(crate::program::symbol::SymbolId),
            plain: !self.is_expanded(n),
            place: n,
        }
    }

    /// Whether a text means the same wherever it stands.
    fn travels(&self, place: usize, key: Key, text: &str) -> bool {
        if self.is_expanded(place) || self.places[place].made {
            return false;
        }
        let Key::Expr(e) = key else {
            let first = text.bytes().next().unwrap_or(b' ');
            let rest = text.bytes().skip(1);
            let number = first.is_ascii_digit() || b"$#%&".contains(&first) && text.len() > 1;
            return number && rest.clone().all(|b| b.is_ascii_alphanumeric());
        };
        let ops = self
            .old
            .ops
            .get(e.start as usize..(e.start + e.len) as usize);
        ops.is_some_and(|ops| {
            ops.iter().all(|op| match *op {
                Op::Place(_) | Op::Sizeof(_) => false,
                Op::Symbol(id) => {
                    let s = self.old.symbols.get(id);
                    let known = self.old.symbols.find(&s.name) == Some(id);
                    !s.local && known && text.contains(&*s.name)
                }
                _ => true,
            })
        })
    }

    /// Padding that keeps what stands behind it in its page.
    fn padding(&self, at: Anchor) -> Result<Line, &'static str> {
        use crate::text::language::Directive;
        let node = self.now(at).ok_or("it is no item")?;
        let words = self.new.dialect.words.directives;
        let word = words.iter().find(|w| w.1 == Directive::Bytes);
        let word = word.ok_or("the dialect has no word for bytes")?.0;
        let zeros = vec!["0"; node.size as usize].join(",");
        let dot = matches!(
            self.new.dialect.names.labels,
            crate::text::language::LabelRule::Colon
        );
        let dot = if dot && !word.starts_with('.') && self.new.target.spaces().len() > 1 {
            "."
        } else {
            ""
        };
        Ok(Line::Text(format!("{dot}{word} {zeros}")))
    }
}
