//! What an instruction reads and writes and where it goes, derived by running its
//! operation on dependences instead of values. Nothing here is typed in by instruction.

use crate::circuit::Circuit;
use crate::depend::{self, Depend, Inputs, Source, Sources};
use crate::memory::{At, Memory, Space};
use crate::state::{Holds, Layout, Processor, place};

/// The effects of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effects {
    /// For each location what its value afterwards depends on. One that the instruction
    /// leaves alone depends on itself.
    pub flows: [Inputs; place::COUNT],
    /// Registers and flags that it may change.
    pub writes: Inputs,
    /// What its acts besides that depend on: addresses and values written to memory,
    /// ports, where it goes.
    pub uses: Inputs,
    /// What its time depends on.
    pub time: Inputs,
    /// What the addresses depend on at which it touches memory, also that of programs.
    pub pointers: Inputs,
    /// It may read memory other than its own bytes.
    pub reads_memory: bool,
    /// It may write memory.
    pub writes_memory: bool,
    /// It may read a port.
    pub input: bool,
    /// It may write a port.
    pub output: bool,
    /// It may read program memory, where that is apart.
    pub reads_program: bool,
    /// It may go elsewhere than to the next instruction.
    pub branches: bool,
    /// It may change how the CPU runs: interrupts, sleep, what is outside of it.
    pub controls: bool,
}

impl Effects {
    /// All that it reads for what it changes and does.
    pub fn reads(&self) -> Inputs {
        let changed = self.writes.iter().map(|w| self.flows[usize::from(w)]);
        changed.fold(self.uses, Inputs::and)
    }

    /// What must be right before it for `live` to be right after it.
    pub fn live_before(&self, live: Inputs) -> Inputs {
        // What it does not write flows from where it was.
        let written = Inputs(live.0 & self.writes.0);
        let wanted = written.iter().map(|l| self.flows[usize::from(l)]);
        wanted.fold(self.uses.and(live.without(self.writes)), Inputs::and)
    }

    /// The effects of a run that began in [`start`].
    pub fn of_run(layout: &Layout, after: &Processor<Depend, Watch>, long: Source) -> Self {
        let before = start(layout, None);
        let mut flows = std::array::from_fn(|p| Inputs::one(p as u8));
        let mut writes = Inputs::NONE;
        for l in layout.locations() {
            let bits = |p: &Processor<Depend, Watch>| match l.bit {
                Some(bit) => vec![p.cell(l.cell)[usize::from(bit)]],
                None => p.cell(l.cell).to_vec(),
            };
            let value = bits(after);
            if value != bits(&before) {
                flows[usize::from(l.number)] = depend::inputs(&value);
                writes = writes.and(Inputs::one(l.number));
            }
        }
        let seen = &after.memory;
        let mut uses = seen.uses;
        if after.went.is_some() {
            let (top, low) = after.counter();
            let behind = depend::inputs(&after.behind());
            let to = depend::inputs(&top).and(depend::inputs(&low)).and(behind);
            uses = uses.and(to);
        }
        Self {
            flows,
            writes,
            uses: uses.without(Inputs::one(place::PC)),
            time: long.inputs().and(seen.time),
            pointers: seen.pointers.without(Inputs::one(place::PC)),
            reads_memory: seen.reads_memory,
            writes_memory: seen.writes_memory,
            input: seen.input,
            output: seen.output,
            reads_program: seen.reads_program,
            branches: after.went.is_some(),
            controls: after.controls || seen.controls,
        }
    }
}

/// A processor that knows of each bit where it comes from; of the program counter
/// nothing, or its value.
pub fn start(layout: &Layout, counter: Option<(u8, u16)>) -> Processor<Depend, Watch> {
    let d = Depend;
    let mut p = Processor::new(d, Watch::default());
    for (number, cell) in (0..).zip(layout.cells) {
        let value = match cell.holds {
            Holds::Byte => depend::input(number),
            Holds::Flags(first, names) => std::array::from_fn(|bit| match bit < names.len() {
                true => Source::copy(first + bit as u8, 0),
                false => Source::Known(false),
            }),
            Holds::Nothing | Holds::Hidden => continue,
        };
        p.set_cell(number, value);
    }
    use crate::Domain;
    let (top, low) = match counter {
        Some((top, low)) => (d.byte(top), d.word(low)),
        None => {
            let pc = Inputs::one(place::PC);
            (depend::mixed(pc, 1 << 20), depend::mixed(pc, 1 << 21))
        }
    };
    p.set_counter(top, low);
    p.set_behind(d.inc16(low));
    p
}

/// Memory that watches what is done with it.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Bytes from outside so far.
    count: u32,
    uses: Inputs,
    time: Inputs,
    pointers: Inputs,
    reads_memory: bool,
    writes_memory: bool,
    input: bool,
    output: bool,
    reads_program: bool,
    controls: bool,
    /// Addresses and values of what was written to data memory.
    written: Vec<(Inputs, Sources<8>)>,
}

impl Watch {
    /// A byte from outside.
    fn delivered(&mut self, inputs: Inputs) -> Sources<8> {
        self.count += 1;
        depend::mixed(inputs, self.count)
    }

    /// An act that depends on these.
    fn acts(&mut self, guard: Source, inputs: Inputs) {
        self.uses = self.uses.and(inputs).and(guard.inputs());
    }
}

impl Memory<Depend> for Watch {
    fn read(&mut self, _: Depend, guard: Source, at: At<Depend>) -> Sources<8> {
        let address = depend::inputs(&at.top).and(depend::inputs(&at.low));
        let (seen, place) = match at.space {
            Space::Data => (&mut self.reads_memory, place::MEMORY),
            Space::Port => (&mut self.input, place::PORTS),
            Space::Program => (&mut self.reads_program, place::PROGRAM),
        };
        *seen = true;
        if at.space != Space::Port {
            self.pointers = self.pointers.and(address);
        }
        if at.space == Space::Port {
            // Reading may do something: where it reads matters.
            self.acts(guard, address);
        }
        self.delivered(address.and(Inputs::one(place)))
    }

    fn write(&mut self, _: Depend, guard: Source, at: At<Depend>, value: Sources<8>) {
        let address = depend::inputs(&at.top).and(depend::inputs(&at.low));
        match at.space {
            Space::Port => self.output = true,
            _ => {
                self.writes_memory = true;
                self.pointers = self.pointers.and(address);
            }
        }
        if at.space == Space::Data {
            self.written.push((address, value));
        }
        self.acts(guard, address.and(depend::inputs(&value)));
    }

    fn act(&mut self, _: Depend, guard: Source, _: u8, bytes: &[Sources<8>]) {
        self.controls = true;
        let all = bytes.iter().map(|b| depend::inputs(b));
        let all = all.fold(Inputs::NONE, Inputs::and);
        self.acts(guard, all);
    }

    fn opaque(&mut self, _: Depend, _: u8, bytes: &[Sources<8>]) -> Sources<8> {
        let all = bytes.iter().map(|b| depend::inputs(b));
        let all = all.fold(Inputs::NONE, Inputs::and);
        self.delivered(all)
    }

    fn uneven(&mut self, _: Depend, guard: Source, address: Sources<16>) {
        self.time = self.time.and(depend::inputs(&address)).and(guard.inputs());
    }
}

/// How control leaves an instruction other than to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It goes there.
    Jump,
    /// It goes there and leaves the address of the next instruction on the stack, or in the
    /// cells that are for that.
    Call,
    /// It goes to an address from there.
    Return,
    /// It goes over the next instruction.
    Skip,
}

/// Where control goes from an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Successors {
    /// It may go on to the next one.
    pub falls_through: bool,
    /// The other way, if there is one.
    pub way: Option<Way>,
    /// Where that leads, in the units of the program counter, if that is certain.
    pub to: Option<u32>,
    /// Instructions that still run before it goes there.
    pub slots: u8,
}

impl Successors {
    /// Where a run went that began in [`start`] at a known address; the next
    /// instruction stands at `next`. With `slots` jumps take effect behind as many.
    pub fn of_run(layout: &Layout, after: &Processor<Depend, Watch>, next: u32, slots: u8) -> Self {
        let Some(guard) = after.went else {
            return Self {
                falls_through: true,
                ..Self::default()
            };
        };
        let (top, mut low) = after.counter();
        if slots > 0 {
            low = after.behind();
        }
        let bits: Vec<Source> = low.into_iter().chain(top).collect();
        let all = depend::inputs(&bits);
        let ways = ways(&bits);
        let others = ways.iter().flatten().copied().filter(|&w| w != next);
        let others: Vec<u32> = others.collect();
        let certain = Depend.certain(guard) == Some(true);
        let two = ways.as_ref().is_some_and(|w| w.len() == 2);
        let falls_through = if two {
            ways.iter().flatten().any(|&w| w == next)
        } else {
            !certain
        };
        let to = match (&ways, others.as_slice()) {
            (Some(_), [one]) => Some(*one),
            (Some(w), []) => w.first().copied(),
            _ => None,
        };
        let stack = layout.of_cells(layout.stack);
        let on_stack = |inputs: Inputs| inputs.0 & stack.0 != 0;
        let bytes = (next & 0xffff).to_le_bytes();
        let pushed = |byte: u8| {
            let same = |v: &Sources<8>| ways_of_byte(v) == Some(byte);
            let mut stores = after.memory.written.iter();
            stores.any(|(at, v)| on_stack(*at) && same(v))
        };
        let linked = || {
            let mut link = layout.link.iter().zip(bytes);
            !layout.link.is_empty() && link.all(|(&c, b)| ways_of_byte(&after.cell(c)) == Some(b))
        };
        let link = layout.of_cells(layout.link);
        let way = if after.skipped {
            Way::Skip
        } else if pushed(bytes[0]) && pushed(bytes[1]) || linked() {
            Way::Call
        } else if on_stack(all) && all.has(place::MEMORY) || !all.is_empty() && all == link {
            Way::Return
        } else {
            Way::Jump
        };
        Self {
            falls_through,
            way: Some(way),
            to,
            slots,
        }
    }
}

/// The value of a byte that is certain.
fn ways_of_byte(byte: &Sources<8>) -> Option<u8> {
    use crate::Domain;
    Depend.exact(*byte)
}

/// The one value or the two that a number can have, where all bits that are not certain
/// are one condition, or its opposite.
fn ways(bits: &[Source]) -> Option<Vec<u32>> {
    let mut condition = None;
    let mut both = [0; 2];
    for (i, bit) in bits.iter().enumerate() {
        let values = match *bit {
            Source::Known(v) => [v, v],
            Source::Function { id, inverted, .. } => {
                if *condition.get_or_insert(id) != id {
                    return None;
                }
                [!inverted, inverted]
            }
        };
        for (number, v) in both.iter_mut().zip(values) {
            *number |= u32::from(v) << i;
        }
    }
    Some(match condition {
        Some(_) => both.to_vec(),
        None => both[..1].to_vec(),
    })
}
