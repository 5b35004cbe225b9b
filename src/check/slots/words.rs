//! A program as words at addresses, with the places that they name.

use crate::emit;
use crate::image::Class;
use crate::place::Layout;
use crate::program::eval::{Op, State};
use crate::program::item::What;
use crate::program::symbol::{Anchor, ExprId, Meaning};
use crate::program::{Field, Program, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes of a word.
pub const UNIT: u64 = 2;

/// A word of the program.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Its bytes.
    pub bytes: [u8; 2],
    /// Its item.
    pub at: Anchor,
    /// Bits that a value fills.
    pub mask: u16,
    /// The address in code, in words, that the value names.
    pub names: Option<u16>,
}

impl Word {
    /// What is fetched where nothing stands.
    pub fn filler(bytes: [u8; 2]) -> Self {
        Self {
            bytes,
            at: Anchor {
                chunk: u32::MAX,
                item: 0,
                plus: 0,
            },
            mask: 0,
            names: None,
        }
    }

    /// Its bytes as a number.
    pub fn number(&self) -> u16 {
        u16::from_le_bytes(self.bytes)
    }
}

/// A program with its words.
pub struct Words<'p, 'a> {
    /// The program.
    pub program: &'p Program<'a>,
    layout: Layout,
    values: Vec<State>,
    words: FxHashMap<u16, Word>,
    last: u16,
    /// Items that are no instructions, with their bytes but for values, in their order.
    pub data: Vec<(u32, Class, Vec<u8>)>,
    /// What cannot be walked, if there is something.
    pub fault: Option<&'static str>,
}

impl<'p, 'a> Words<'p, 'a> {
    /// Lays out a program and looks at its words.
    pub fn of(program: &'p Program<'a>) -> Self {
        let layout = program.lay_out();
        let values = program.final_values(&layout);
        let (chunks, problems) = emit::bytes(program, &layout, &values);
        let mut out = Self {
            program,
            layout,
            values,
            words: FxHashMap::default(),
            last: 0,
            data: Vec::new(),
            fault: None,
        };
        let errors = problems.errors() + out.layout.unsettled.len() + out.layout.homeless.len();
        if errors > 0 {
            out.fault = Some("a program with errors");
        }
        for c in 0..program.chunks.len() as u32 {
            if out.is_code(c) {
                for i in 0..program.chunks[c as usize].items.len() as u32 {
                    out.item(
                        Anchor {
                            chunk: c,
                            item: i,
                            plus: 0,
                        },
                        &chunks[c as usize].bytes,
                    );
                }
            }
        }
        out
    }

    /// Whether a chunk is in the memory that the processor runs.
    fn is_code(&self, c: u32) -> bool {
        let end = self
            .program
            .target
            .spaces()
            .get(1)
            .map_or(u64::MAX, |s| s.base);
        self.layout.base[c as usize] < end
    }

    fn item(&mut self, at: Anchor, bytes: &[u8]) {
        let program = self.program;
        let next = Anchor {
            item: at.item + 1,
            ..at
        };
        let (from, to) = (
            program.address(&self.layout, at),
            program.address(&self.layout, next),
        );
        let base = self.layout.base[at.chunk as usize];
        let own = &bytes[(from - base) as usize..(to - base) as usize];
        let what = program.chunks[at.chunk as usize].items[at.item as usize].what;
        let chunk = &program.chunks[at.chunk as usize];
        if chunk.page != 0 || matches!(what, What::Choice { .. }) {
            self.fault = Some("memories that lie over others, or forms that are chosen");
        }
        if !from.is_multiple_of(UNIT) || !own.len().is_multiple_of(UNIT as usize) {
            self.fault = Some("halves of words");
            return;
        }
        let mut fixed = own.to_vec();
        for (i, bytes) in own.chunks_exact(UNIT as usize).enumerate() {
            let plus = i as u32 * UNIT as u32;
            let (mask, names) = self.value_at(at, what, plus);
            let free = mask.to_le_bytes();
            for (f, m) in fixed[plus as usize..].iter_mut().zip(free) {
                *f &= !m;
            }
            let word = Word {
                bytes: [bytes[0], bytes[1]],
                at: Anchor { plus, ..at },
                mask,
                names,
            };
            let address = from / UNIT + i as u64;
            let Ok(address) = u16::try_from(address) else {
                self.fault = Some("addresses of more than 16 bits");
                return;
            };
            self.last = self.last.max(address);
            if self.words.insert(address, word).is_some() {
                self.fault = Some("words that lie over others");
            }
        }
        if let What::Data { class, .. } | What::Fill { class, .. } | What::Space { class, .. } =
            what
            && class != Class::Padding
        {
            self.data.push((at.chunk, class, fixed));
        }
    }

    /// The bits of a word that values fill, and the address that they name.
    fn value_at(&self, at: Anchor, what: What, plus: u32) -> (u16, Option<u16>) {
        let program = self.program;
        let mut mask = 0;
        let mut names = Vec::new();
        for v in program.operands_of(at) {
            let behind = v.at.plus.wrapping_sub(plus);
            let bits = match (v.field, what) {
                (Field::Data(n), _) if u64::from(behind) < UNIT => {
                    let all = (1u32 << (8 * u32::from(n)).min(16)) - 1;
                    (all << (8 * behind)) as u16
                }
                (Field::Class(c) | Field::Low(c), What::Instruction { form, .. }) if plus == 0 => {
                    let letter = program.operands[usize::from(c)].value.map(|v| v.field);
                    let pattern = &program.forms[usize::from(form)].pattern;
                    let field = letter.and_then(|l| pattern.field(l));
                    field.map_or(0, |f| f.deposit(u64::MAX)) as u16
                }
                _ => 0,
            };
            if bits != 0 {
                mask |= bits;
                names.push(self.place(v.value));
            }
        }
        match names.as_slice() {
            [Some(one)] => (mask, Some(*one)),
            _ => (mask, None),
        }
    }

    /// The one address in code that an expression is made of.
    pub fn place(&self, e: ExprId) -> Option<u16> {
        let program = self.program;
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            for op in &program.ops[e.start as usize..(e.start + e.len) as usize] {
                match *op {
                    Op::Place(a) => _ = found.insert(a),
                    Op::Symbol(id) | Op::Sizeof(id) => {
                        let id = program.symbols.resolve(id);
                        if !seen.insert(id) {
                            continue;
                        }
                        let s = program.symbols.get(id);
                        match (s.place.filter(|_| s.label), s.meaning, s.formula) {
                            (Some(a), ..) | (None, Meaning::At(a), _) => _ = found.insert(a),
                            (None, Meaning::Expr(e), _) | (None, _, Some(e)) => open.push(e),
                            _ => {}
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut all = found.into_iter();
        match (all.next(), all.next()) {
            (Some(a), None) => self.address(a),
            _ => None,
        }
    }

    /// The address of a place in code, in words.
    pub fn address(&self, a: Anchor) -> Option<u16> {
        if !self.is_code(a.chunk) {
            return None;
        }
        u16::try_from(self.program.address(&self.layout, a) / UNIT).ok()
    }

    /// What a value is worth.
    pub fn value(&self, v: Value) -> Option<i64> {
        self.program.value_of(v, &self.layout, &self.values).ok()
    }

    /// The word at an address.
    pub fn get(&self, address: u16) -> Option<&Word> {
        self.words.get(&address)
    }

    /// Whether nothing stands at an address and behind it.
    pub fn is_over(&self, address: u16) -> bool {
        address > self.last
    }

    /// The item before which an address lies, and the words there for people.
    pub fn where_is(&self, address: u16) -> (Option<Anchor>, String) {
        let Some(word) = self.get(address) else {
            return (None, format!("${address:04X}, where nothing stands"));
        };
        let target = self.program.target;
        let bytes = u64::from(address) * UNIT;
        let text = target.decode_on(&word.bytes, bytes, self.program.machine);
        let text = text.map_or_else(String::new, |d| d.text);
        let at = Anchor { plus: 0, ..word.at };
        let Some(item) = self.program.item(at) else {
            return (None, text);
        };
        let source = self.program.sources.get(item.span.source);
        let (line, _) = source.line_column(item.span.start);
        (
            Some(at),
            format!("{}:{line}: `{text}` at ${address:04X}", source.name),
        )
    }
}
