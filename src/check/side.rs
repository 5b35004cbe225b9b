//! One of the two programs: its items where they lie, with their bytes and what these do,
//! as the checker finds it by itself from the meaning of the bytes.

use crate::emit;
use crate::place::Layout;
use crate::program::eval::State;
use crate::program::item::What;
use crate::program::symbol::{Anchor, ExprId};
use crate::program::{Field, Program, Value};
use rustc_hash::FxHashMap;
use scrimp_isa::decode::Decoded;
use scrimp_isa::depend::{Inputs, Source};
use scrimp_isa::effects::{self, Effects, Successors, Way};
use scrimp_isa::known::Byte;
use scrimp_isa::memo::{Answers, Memo};
use scrimp_isa::memory::KnownMemory;
use scrimp_isa::semantics::Code;
use scrimp_isa::ways::Ways;
use scrimp_isa::{Known, Processor, Semantics};
use std::sync::Arc;

/// What an item is to the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An instruction whose meaning is known.
    Code,
    /// Anything else that has bytes.
    Data,
}

/// An item of at least a byte.
#[derive(Clone, Debug)]
pub struct Place {
    /// The item.
    pub at: Anchor,
    /// Its linear address.
    pub address: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it is.
    pub kind: Kind,
    /// What its bytes do.
    pub deed: Option<Arc<Deed>>,
    /// Where control goes from it.
    pub ways: Successors,
}

impl Place {
    /// Address behind it.
    pub fn end(&self) -> u64 {
        self.address + self.bytes.len() as u64
    }
}

/// What an instruction does, wherever it stands.
#[derive(Clone, Debug)]
pub struct Deed {
    /// What it reads and changes.
    pub effects: Effects,
    /// Bytes by which the stack pointer goes up, if that is certain.
    pub lift: Option<i32>,
    /// The condition under which it goes elsewhere.
    pub guard: Option<Source>,
    /// It changes nothing but where control goes.
    pub only_goes: bool,
    /// It sees where the stack pointer stands, other than by what `lift` says.
    pub sees_stack: bool,
    /// It may let interrupts in.
    pub lets_in: bool,
}

/// A program with addresses and bytes.
pub struct Side<'p, 'a> {
    /// The program.
    pub program: &'p Program<'a>,
    /// Its addresses.
    pub layout: Layout,
    /// Values of its symbols.
    pub values: Vec<State>,
    /// Its items, in the order of chunks.
    pub places: Vec<Place>,
    /// The first place of each chunk, and the end.
    pub starts: Vec<u32>,
    /// Errors while bytes were made.
    pub errors: usize,
    /// Some bytes lie over others, so that an address does not say what is there.
    pub overlaid: bool,
    /// Memories lie one over the other, and have addresses of their own.
    pub lifted: bool,
    /// Addresses of all labels, in order.
    labels: Vec<u64>,
    sorted: Vec<(u64, u32)>,
    by_address: FxHashMap<u64, u32>,
}

impl<'p, 'a> Side<'p, 'a> {
    /// Lays out a program and looks at its bytes.
    pub fn of(program: &'p Program<'a>, book: &mut Book<'_>) -> Self {
        let layout = program.lay_out();
        let values = program.final_values(&layout);
        let (chunks, problems) = emit::bytes(program, &layout, &values);
        let mut side = Self {
            program,
            errors: problems.errors() + layout.unsettled.len() + layout.homeless.len(),
            layout,
            values,
            places: Vec::new(),
            starts: Vec::new(),
            overlaid: false,
            lifted: (0..program.chunks.len() as u32).any(|c| program.is_lifted(c)),
            labels: Vec::new(),
            sorted: Vec::new(),
            by_address: FxHashMap::default(),
        };
        let labels = program.symbols.ids().filter_map(|id| {
            let symbol = program.symbols.get(id);
            let place = symbol.place.filter(|_| symbol.label)?;
            Some(program.address(&side.layout, place))
        });
        side.labels = labels.collect();
        side.labels.sort_unstable();
        for (c, chunk) in program.chunks.iter().enumerate() {
            side.starts.push(side.places.len() as u32);
            for i in 0..chunk.items.len() {
                side.item(c as u32, i as u32, &chunks[c].bytes, book);
            }
        }
        side.starts.push(side.places.len() as u32);
        for (n, p) in (0..).zip(&side.places) {
            if program.chunks[p.at.chunk as usize].page == 0 {
                side.sorted.push((p.address, n));
                side.overlaid |= side.by_address.insert(p.address, n).is_some();
            }
        }
        side.sorted.sort_unstable();
        let ends = |w: &[(u64, u32)]| side.places[w[0].1 as usize].end() > w[1].0;
        side.overlaid |= side.sorted.windows(2).any(ends);
        side
    }

    fn item(&mut self, c: u32, i: u32, bytes: &[u8], book: &mut Book<'_>) {
        let at = |item| Anchor {
            chunk: c,
            item,
            plus: 0,
        };
        let base = self.layout.base[c as usize];
        let (from, to) = (
            self.program.address(&self.layout, at(i)),
            self.program.address(&self.layout, at(i + 1)),
        );
        if from == to {
            return;
        }
        let rest = &bytes[(from - base) as usize..];
        let own = &rest[..(to - from) as usize];
        let mut place = Place {
            at: at(i),
            address: from,
            bytes: own.to_vec(),
            kind: Kind::Data,
            deed: None,
            ways: Successors::default(),
        };
        let item = &self.program.chunks[c as usize].items[i as usize];
        if matches!(item.what, What::Instruction { .. } | What::Choice { .. }) {
            let code = Code {
                bytes: own,
                address: from,
            };
            if book.semantics.length(code) == Some(own.len())
                && let (Some(deed), Some(ways)) = (book.deed(own), book.ways(rest, own.len(), from))
            {
                place.kind = Kind::Code;
                (place.deed, place.ways) = (Some(deed), ways);
            }
        }
        self.places.push(place);
    }

    /// The place that has an address, and how far behind its start that is.
    pub fn holding(&self, address: u64) -> Option<(u32, u64)> {
        let next = self.sorted.partition_point(|p| p.0 <= address);
        let (start, n) = *self.sorted.get(next.checked_sub(1)?)?;
        (address < self.places[n as usize].end()).then_some((n, address - start))
    }

    /// The first label behind an address, or the next address if there is none.
    pub fn label_behind(&self, address: u64) -> u64 {
        let next = self.labels.partition_point(|&l| l <= address);
        self.labels.get(next).copied().unwrap_or(address + 1)
    }

    /// The place behind another in memory.
    pub fn next(&self, n: u32) -> Option<u32> {
        let end = self.places[n as usize].end();
        self.by_address.get(&end).copied()
    }

    /// The place of an anchor; what it is that stands there if nothing does.
    pub fn place_of(&self, a: Anchor) -> Option<(u32, u64)> {
        self.holding(self.program.address(&self.layout, a))
    }

    /// A place.
    pub fn get(&self, n: u32) -> &Place {
        &self.places[n as usize]
    }

    /// Where it goes to, in bytes.
    pub fn goal(&self, n: u32, unit: u64) -> Option<u64> {
        self.get(n).ways.to.map(|t| u64::from(t) * unit)
    }

    /// Whether where an instruction goes depends on where it stands.
    pub fn is_relative(&self, n: u32) -> bool {
        let p = self.get(n);
        let at = |address: u64| {
            let target = self.program.target;
            let found = target.decode_on(&p.bytes, address, self.program.machine);
            found.and_then(|d| d.refers_to)
        };
        at(p.address) != at(p.address + 2 * p.bytes.len() as u64)
    }

    /// An instruction's operands.
    pub fn decoded(&self, n: u32) -> Option<Decoded> {
        let p = self.get(n);
        let target = self.program.target;
        target.decode_on(&p.bytes, p.address, self.program.machine)
    }

    /// The expression that fills a field of an instruction, if one does.
    pub fn expression(&self, n: u32, class: u16) -> Option<ExprId> {
        let program = self.program;
        let at = self.get(n).at;
        let letter = |c: u8| program.operands[usize::from(c)].value.map(|v| v.field);
        let same = |c: u8| u16::from(c) == class || letter(c) == letter(class as u8);
        match program.item(at)?.what {
            What::Choice { from, count } => {
                let chosen = self.chosen(at)?;
                let e = &program.alternatives(from, count)[chosen];
                let v = program.values_of(e).iter().find(|v| same(v.0))?;
                match v.1 {
                    Value::Expr(e) | Value::Known(_, e) => Some(e),
                    Value::Number(_) => None,
                }
            }
            _ => {
                let own = program.operands_of(at).iter();
                let mut own = own.filter(|v| match v.field {
                    Field::Class(c) | Field::Low(c) => same(c),
                    Field::Data(_) => false,
                });
                own.next().map(|v| v.value)
            }
        }
    }

    fn chosen(&self, at: Anchor) -> Option<usize> {
        let chunk = &self.program.chunks[at.chunk as usize];
        let open = chunk.open.binary_search(&at.item).ok()?;
        Some(self.layout.choice[at.chunk as usize][open].into())
    }

    /// What an expression is worth.
    pub fn value(&self, e: ExprId) -> Option<i64> {
        let value = Value::Expr(e);
        self.program
            .value_of(value, &self.layout, &self.values)
            .ok()
    }

    /// File and line of a place, for people.
    pub fn where_is(&self, n: u32) -> String {
        let item = self.program.item(self.get(n).at);
        let text = self.decoded(n).map_or_else(String::new, |d| d.text);
        let Some(item) = item else {
            return text;
        };
        let source = self.program.sources.get(item.span.source);
        let (line, _) = source.line_column(item.span.start);
        format!(
            "{}:{line}: `{text}` at ${:04X}",
            source.name,
            self.get(n).address
        )
    }
}

/// What instructions do, by their bytes.
pub struct Book<'s> {
    /// The meaning.
    pub semantics: &'s dyn Semantics,
    known: FxHashMap<Vec<u8>, Option<Arc<Deed>>>,
    all: Arc<Answers<Option<Arc<Deed>>>>,
    ways: &'s mut Ways,
}

impl<'s> Book<'s> {
    /// A book in which stands what was asked of the processor of that name before, with where
    /// control went from its instructions.
    pub fn new(semantics: &'s dyn Semantics, processor: &str, ways: &'s mut Ways) -> Self {
        static DEEDS: Memo<Option<Arc<Deed>>> = Memo::new();
        Self {
            semantics,
            known: FxHashMap::default(),
            all: DEEDS.of(processor),
            ways,
        }
    }

    /// Locations of the stack pointer.
    pub fn stack(&self) -> Inputs {
        let layout = self.semantics.layout();
        layout.of_cells(layout.stack)
    }

    fn ways(&mut self, rest: &[u8], size: usize, address: u64) -> Option<Successors> {
        self.ways.find(self.semantics, rest, size, address)
    }

    fn deed(&mut self, bytes: &[u8]) -> Option<Arc<Deed>> {
        if let Some(d) = self.known.get(bytes) {
            return d.clone();
        }
        let deed = self.all.get(bytes, || self.find(bytes).map(Arc::new));
        self.known.insert(bytes.to_vec(), deed.clone());
        deed
    }

    fn find(&self, bytes: &[u8]) -> Option<Deed> {
        let code = Code { bytes, address: 0 };
        // Registers that have addresses have low ones: no pointer is taken to lead to them.
        let effects = self.semantics.effects(code, 0x100..=0xffff)?;
        let layout = self.semantics.layout();
        let mut p = effects::start(layout, None);
        self.semantics.depend(code, &mut p)?;
        let stack = self.stack();
        let moves = effects.writes.0 & stack.0 != 0;
        let lift = match moves {
            false => Some(0),
            true => self.lift(code),
        };
        let loud = effects.writes.without(layout.of_cells(layout.quiet));
        let acts = effects.writes_memory
            || effects.reads_memory
            || effects.input
            || effects.output
            || effects.reads_program
            || effects.controls;
        // Who pushes or pops uses the pointer too; who does nothing else with it only moves it.
        let copies = loud
            .iter()
            .any(|w| !stack.has(w) && effects.flows[usize::from(w)].0 & stack.0 != 0);
        let sees = match moves {
            true => copies && !effects.reads_memory,
            false => copies || effects.uses.0 & stack.0 != 0,
        };
        Some(Deed {
            lift,
            guard: p.went,
            only_goes: loud.is_empty() && !acts,
            sees_stack: sees || lift.is_none(),
            lets_in: effects.controls && self.may_set(code, loud.without(stack)),
            effects,
        })
    }

    /// Whether one of these locations may be set behind an instruction.
    fn may_set(&self, code: Code<'_>, own: Inputs) -> bool {
        let layout = self.semantics.layout();
        let mut p = Processor::new(Known, KnownMemory::default());
        for cell in 0..layout.cells.len() as u8 {
            p.set_cell(cell, Byte::UNKNOWN);
        }
        if self.semantics.known(code, &mut p).is_none() {
            return true;
        }
        let mut all = layout.locations().into_iter();
        all.any(|l| {
            let v = p.cell(l.cell);
            let clear = v.known & !v.value;
            own.has(l.number) && l.bit.map_or(clear != 0xff, |bit| clear >> bit & 1 == 0)
        })
    }

    /// How far the stack pointer goes up, from known bits.
    fn lift(&self, code: Code<'_>) -> Option<i32> {
        /// Far from both ends of a byte, so that no carry goes from one cell to the other.
        const MIDDLE: u8 = 0x60;
        let layout = self.semantics.layout();
        let mut p = Processor::new(Known, KnownMemory::default());
        for cell in 0..layout.cells.len() as u8 {
            p.set_cell(cell, Byte::UNKNOWN);
        }
        for &cell in layout.stack {
            p.set_cell(cell, Byte::of(MIDDLE));
        }
        self.semantics.known(code, &mut p)?;
        let mut moved = 0;
        for &cell in layout.stack {
            let by = i32::from(p.cell(cell).exact()?) - i32::from(MIDDLE);
            if moved != 0 && by != 0 || by.abs() > 8 {
                return None;
            }
            moved += by;
        }
        Some(moved)
    }
}

/// Whether control may come back behind an instruction.
pub fn is_call(p: &Place) -> bool {
    p.kind == Kind::Code && p.ways.way == Some(Way::Call)
}
