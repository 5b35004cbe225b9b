//! Doing the lines of a test on a machine.

use super::advance::{Came, Engine, Goal};
use super::coverage::{Coverage, counter_unit};
use super::step::{Item, Line, Place, Relation, Setting, Step, Time, Unit, Value};
use crate::diagnostic::near::nearest;
use crate::diagnostic::text::thousands;
use crate::image::Image;
use crate::session::keys;
use crate::session::power::Running;
use scrimp_isa::machine::Screen;
use scrimp_isa::probe::{Feed, Probe};
use scrimp_isa::state::Holds;
use scrimp_isa::{Machine, Simulation, Target};
use std::ops::Range;

/// Seconds of the machine's time that a call or run may take when nothing is said.
const USUAL: u64 = 5;
/// Fiftieths of a second that a key is held, and then not.
const HOLD: u64 = 6;
/// Most seconds of the machine's time.
const MOST_SECONDS: i64 = 100_000;
/// Lines of a screen that a message shows.
const MOST_SHOWN: usize = 24;

/// A program that tests run on.
pub struct Subject<'a> {
    /// The machine at power-on, which each test gets a copy of.
    pub running: &'a Running,
    /// The program.
    pub image: &'a Image,
    /// Its target.
    pub target: &'static dyn Target,
    /// Its machine.
    pub machine: &'static dyn Machine,
}

/// What a test found wrong, and where in its script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Bytes of the script.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
}

/// Something that is to be compared with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shot {
    /// Which: screen, serial, or what is made of the build.
    pub kind: String,
    /// What it is, where the machine has it.
    pub content: Option<String>,
    /// Where it is asked for.
    pub range: Range<usize>,
}

/// What came of a test.
#[derive(Debug, Default)]
pub struct Done {
    /// What is wrong; nothing for a test that passes.
    pub wrong: Vec<Wrong>,
    /// What is to be compared with files.
    pub shots: Vec<Shot>,
    /// Clock cycles that it took.
    pub clocks: u64,
    /// What was executed, where that was wanted.
    pub coverage: Option<Coverage>,
}

/// A test that runs.
struct Case<'a> {
    on: &'a Subject<'a>,
    engine: Engine,
    /// What is set where a routine is not called.
    mocks: Vec<&'a [Setting]>,
    /// Clocks of the last call or run.
    took: u64,
    /// Stack pointer where it began.
    began: u64,
    halted: bool,
    done: Done,
}

type Did<T> = Result<T, String>;

/// Whether a test needs each instruction to be looked at.
fn counts(lines: &[Line]) -> bool {
    let counted = |l: &Line| matches!(l.step, Step::Watch | Step::Stack(..));
    lines.iter().any(counted)
}

/// Whether a test needs a hand in the machine.
fn probes(lines: &[Line]) -> bool {
    let probed = |l: &Line| matches!(l.step, Step::Watch | Step::Port(..) | Step::Sent(..));
    lines.iter().any(probed)
}

/// Does a test. With `coverage` each instruction is counted.
pub fn run(on: &Subject<'_>, lines: &[Line], coverage: bool) -> Done {
    let mut simulation = on.running.simulation.snapshot();
    let mut probe = Probe::default();
    if lines.iter().any(|l| l.step == Step::Watch) {
        probe.mark_memory();
    }
    let attached = !probes(lines) || simulation.attach(probe);
    let lowest = simulation.stack().unwrap_or(0);
    let begin = simulation.cycles();
    let mut case = Case {
        on,
        engine: Engine {
            simulation,
            steps: coverage || counts(lines),
            coverage: coverage.then(|| Coverage::of(on.image, on.target, Some(on.machine))),
            lowest,
            unwritten: Vec::new(),
            mocks: Vec::new(),
        },
        mocks: Vec::new(),
        took: 0,
        began: lowest,
        halted: false,
        done: Done::default(),
    };
    for line in lines {
        let done = match attached {
            true => case.step(line),
            false => Err(format!("{} lets nobody between", on.machine.name())),
        };
        // An expectation that fails says nothing of the next one.
        let expects = matches!(line.step, Step::Expect(..))
            || matches!(
                line.step,
                Step::Clocks(..) | Step::Stack(..) | Step::Screen(..)
            )
            || matches!(
                line.step,
                Step::Serial(..) | Step::Level(..) | Step::Light(..)
            )
            || matches!(line.step, Step::Sent(..) | Step::Halted);
        if let Err(message) = done {
            case.done.wrong.push(Wrong {
                range: line.range.clone(),
                message,
            });
            if !expects {
                break;
            }
        }
    }
    case.done.clocks = case.engine.simulation.cycles() - begin;
    case.done.coverage = case.engine.coverage.take();
    case.done
}

impl<'a> Case<'a> {
    fn sim(&mut self) -> &mut dyn Simulation {
        self.engine.simulation.as_mut()
    }

    fn step(&mut self, line: &'a Line) -> Did<()> {
        match &line.step {
            Step::Set(settings) => settings.iter().try_for_each(|s| self.set(s)),
            Step::Call(at, within) => self.call(at, within.as_ref()),
            Step::Start(at) => {
                let pc = self.code(at)?;
                match self.sim().set_register("pc", pc) {
                    true => Ok(()),
                    false => Err("this machine goes nowhere by itself".into()),
                }
            }
            Step::Run(until, time) => self.run_until(until.as_ref(), time.as_ref()),
            Step::Keys(script) => self.keys(script),
            Step::Key(key, down) => {
                let name = keys::resolve(key, self.sim())?;
                self.sim().key(&name, *down)
            }
            Step::Type(bytes) => match self.sim().type_serial(bytes) {
                true => Ok(()),
                false => Err(format!("{} has no serial terminal here", self.name())),
            },
            Step::Pin(pin, level) => {
                let level = match level {
                    Some(v) => Some(self.value(v)? != 0),
                    None => None,
                };
                self.sim().drive(pin, level)
            }
            Step::Port(port, items) => {
                let port = self.value(port)? as u64;
                let values = self.bytes(items)?;
                let feed = Feed {
                    port,
                    values,
                    read: 0,
                };
                if let Some(probe) = self.sim().probe() {
                    probe.feeds.retain(|f| f.port != port);
                    probe.feeds.push(feed);
                }
                Ok(())
            }
            Step::Routine(at, settings) => {
                let pc = self.code(at)?;
                self.engine.mocks.push(pc);
                self.mocks.push(settings);
                Ok(())
            }
            Step::Watch => {
                if let Some(probe) = self.sim().probe() {
                    probe.watch_memory();
                }
                Ok(())
            }
            Step::Snapshot(kind) => self.snapshot(kind, line),
            _ => self.expect(&line.step),
        }
    }

    fn expect(&mut self, step: &Step) -> Did<()> {
        match step {
            Step::Expect(place, relation, items) => self.compare(place, *relation, items),
            Step::Clocks(relation, time) => {
                let (took, most) = (self.took as i64, self.clocks(time)? as i64);
                self.found("clocks", took, *relation, most)
            }
            Step::Stack(relation, most) => {
                let used = self.began.saturating_sub(self.engine.lowest) as i64;
                let most = self.value(most)?;
                self.found("stack", used, *relation, most)
            }
            Step::Screen(text, wanted) => self.screen(text, *wanted),
            Step::Serial(text, wanted) => self.serial(text, *wanted),
            Step::Level(pin, level) => {
                let is = self.sim().level(pin);
                let is = is.ok_or_else(|| format!("{} has no pin {pin}", self.name()))?;
                let level = self.value(level)?;
                self.found(&format!("pin {pin}"), is.into(), Relation::Equal, level)
            }
            Step::Light(name, level) => {
                let lights = self.sim().lights();
                let found = lights.iter().find(|l| l.0.eq_ignore_ascii_case(name));
                let Some((_, lit)) = found else {
                    let all: Vec<_> = lights.into_iter().map(|l| l.0).collect();
                    return Err(format!(
                        "there is no light {name}; there are: {}",
                        all.join(", ")
                    ));
                };
                let (lit, level) = (i64::from(*lit), self.value(level)?);
                self.found(&format!("light {name}"), lit, Relation::Equal, level)
            }
            Step::Sent(port, items) => {
                let port = self.value(port)? as u64;
                let wanted = self.bytes(items)?;
                let is = |p: u64| p == port || port < 256 && p & 0xff == port;
                let sent = self.sim().probe().map(|p| {
                    let of = p.sent.iter().filter(|s| is(s.port));
                    of.map(|s| s.value).collect::<Vec<u8>>()
                });
                let sent = sent.unwrap_or_default();
                match sent == wanted {
                    true => Ok(()),
                    false => Err(format!(
                        "port ${port:X} got {}, not {}",
                        hex(&sent),
                        hex(&wanted)
                    )),
                }
            }
            Step::Halted if self.halted => Ok(()),
            Step::Halted => Err("the CPU did not halt".into()),
            _ => Ok(()),
        }
    }

    fn name(&self) -> &'static str {
        self.on.machine.name()
    }

    /// The value of an expression.
    fn value(&self, v: &Value) -> Did<i64> {
        self.valued(v, false)
    }

    /// Likewise; where an address is meant, labels are linear addresses.
    fn valued(&self, v: &Value, address: bool) -> Did<i64> {
        Ok(match v {
            Value::Number(n) => *n,
            Value::Name(name) => self.named(name, address)?,
            Value::One('-', a) => self.valued(a, address)?.wrapping_neg(),
            Value::One(_, a) => !self.valued(a, address)?,
            Value::Two(op, a, b) => {
                let (a, b) = (self.valued(a, address)?, self.valued(b, address)?);
                match op {
                    '+' => a.wrapping_add(b),
                    '-' => a.wrapping_sub(b),
                    '*' => a.wrapping_mul(b),
                    '/' | '%' if b == 0 => return Err("a division by 0".into()),
                    '/' => a.wrapping_div(b),
                    '%' => a.wrapping_rem(b),
                    '&' => a & b,
                    '|' => a | b,
                    '^' => a ^ b,
                    'l' => a.wrapping_shl(b as u32),
                    _ => a.wrapping_shr(b as u32),
                }
            }
        })
    }

    /// A symbol of the program, or a register.
    fn named(&self, name: &str, address: bool) -> Did<i64> {
        let all = &self.on.image.symbols;
        let same = |s: &&crate::image::Symbol| s.name.eq_ignore_ascii_case(name);
        let found = self.on.image.symbol(name);
        if let Some(symbol) = found.or_else(|| all.iter().find(same)) {
            return Ok(match (address, symbol.address) {
                (true, Some(linear)) => linear as i64,
                _ => symbol.value,
            });
        }
        if let Some(value) = self.register(name) {
            return Ok(value as i64);
        }
        Err(self.no_name("name", name))
    }

    fn no_name(&self, what: &str, name: &str) -> String {
        let registers = self.engine.simulation.registers();
        let names = registers.iter().map(|r| r.0);
        let symbols = self.on.image.symbols.iter().map(|s| &*s.name);
        let near = nearest(name, names.chain(symbols));
        let hint = near.map_or(String::new(), |n| format!("; is {n} meant?"));
        format!("there is no {what} {name}{hint}")
    }

    /// A register, or a flag as `f.z`.
    fn register(&self, name: &str) -> Option<u64> {
        if let Some(value) = self.engine.simulation.register(name) {
            return Some(value);
        }
        let (cell, bit) = self.flag(name)?;
        Some(self.engine.simulation.register(cell)? >> bit & 1)
    }

    /// The register of a flag, and its bit.
    fn flag(&self, name: &str) -> Option<(&'static str, u8)> {
        let semantics = self.on.target.semantics(Some(self.on.machine))?;
        let layout = semantics.layout();
        let location = layout.find(name)?;
        let cell = &layout.cells[usize::from(location.cell)];
        let is_flag = matches!(cell.holds, Holds::Flags(..));
        Some((cell.name, location.bit.filter(|_| is_flag)?))
    }

    /// An address of the program counter.
    fn code(&self, v: &Value) -> Did<u64> {
        let unit = counter_unit(self.on.target);
        // A number is as the program counter has it.
        let linear = match v {
            Value::Number(n) => n.wrapping_mul(unit as i64),
            _ => self.valued(v, true)?,
        };
        let linear = u64::try_from(linear).map_err(|_| "an address below 0")?;
        Ok(linear / unit)
    }

    /// An address of memory, linear.
    fn address(&self, space: Option<&str>, v: &Value) -> Did<u64> {
        let value = self.valued(v, space.is_none())?;
        let value = u64::try_from(value).map_err(|_| "an address below 0")?;
        let spaces = self.on.target.spaces();
        let at = match space {
            None => value,
            Some(name) => {
                let mut regions = self.on.machine.regions().iter();
                let found = spaces.iter().find(|s| s.name.eq_ignore_ascii_case(name));
                // A region has the addresses of its space.
                let region = regions.find(|r| r.name.eq_ignore_ascii_case(name));
                let of = |at: u64| spaces.iter().rev().find(|s| s.base <= at);
                let found = found.or_else(|| region.and_then(|r| of(r.start)));
                let names: Vec<_> = spaces.iter().map(|s| s.name).collect();
                let found = found.ok_or_else(|| {
                    format!(
                        "there is no address space {name}; there are: {}",
                        names.join(", ")
                    )
                })?;
                found.base + value
            }
        };
        let of = spaces.iter().rev().find(|s| s.base <= at);
        if self.on.target.word_addresses() && of.is_some_and(|s| s.unit > 1) {
            return Err("this memory has words that no test reads".into());
        }
        Ok(at)
    }

    fn clocks(&self, time: &Time) -> Did<u64> {
        let count = self.value(&time.count)?;
        let clock = self.on.running.clock() as i64;
        let of = match time.unit {
            Unit::Clocks => Some(count),
            Unit::Frames => count.checked_mul(self.on.running.frame() as i64),
            Unit::Milliseconds => count.checked_mul(clock).map(|c| c / 1000),
            Unit::Seconds => count.checked_mul(clock),
        };
        let most = clock.saturating_mul(MOST_SECONDS);
        let of = of.filter(|c| (0..=most).contains(c));
        of.map(|c| c as u64)
            .ok_or_else(|| format!("a time below 0 or above {MOST_SECONDS} s"))
    }

    /// The bytes that items stand for, where bytes are meant.
    fn bytes(&self, items: &[Item]) -> Did<Vec<u8>> {
        let values = self.values(items)?;
        let byte = |v: i64| match v {
            -128..=255 => Ok(v as u8),
            v => Err(format!("{v} is no byte")),
        };
        values.into_iter().map(byte).collect()
    }

    fn values(&self, items: &[Item]) -> Did<Vec<i64>> {
        let mut out = Vec::new();
        for item in items {
            match item {
                Item::Value(v) => out.push(self.value(v)?),
                Item::Text(text) => out.extend(text.iter().map(|&b| i64::from(b))),
            }
        }
        Ok(out)
    }

    fn set(&mut self, (place, items): &Setting) -> Did<()> {
        let values = self.values(items)?;
        match place {
            Place::Register(name) => {
                let [value] = values[..] else {
                    return Err(format!("{name} takes one value"));
                };
                self.set_register(name, value)
            }
            Place::Memory(space, at, width) => {
                let at = self.address(space.as_deref(), at)?;
                let width = u64::from(*width);
                for (i, value) in (0u64..).zip(values) {
                    fits(value, width)?;
                    for (n, byte) in self.in_order(value, width).into_iter().enumerate() {
                        let to = at + i * width + n as u64;
                        self.sim().poke(to, byte);
                    }
                }
                Ok(())
            }
        }
    }

    /// The bytes of a value, in the order of the target.
    fn in_order(&self, value: i64, width: u64) -> Vec<u8> {
        let mut bytes = value.to_le_bytes()[..width as usize].to_vec();
        if self.on.target.big_endian() {
            bytes.reverse();
        }
        bytes
    }

    fn set_register(&mut self, name: &str, value: i64) -> Did<()> {
        if self
            .sim()
            .set_register(&name.to_ascii_lowercase(), value as u64)
        {
            let is = self.sim().register(name).unwrap_or(value as u64);
            return match same(is, value) {
                true => Ok(()),
                false => Err(format!("{name} does not hold {value}")),
            };
        }
        let Some((cell, bit)) = self.flag(name) else {
            return Err(self.no_name("register", name));
        };
        if !(0..=1).contains(&value) {
            return Err(format!("a flag is 0 or 1, not {value}"));
        }
        let old = self.sim().register(cell).unwrap_or(0);
        let new = old & !(1 << bit) | (value as u64) << bit;
        match self.sim().set_register(cell, new) {
            true => Ok(()),
            false => Err(format!("{cell} cannot be set")),
        }
    }

    fn compare(&mut self, place: &Place, relation: Relation, items: &[Item]) -> Did<()> {
        let values = self.values(items)?;
        match place {
            Place::Register(name) => {
                let [value] = values[..] else {
                    return Err(format!("{name} has one value"));
                };
                let is = self.register(name);
                let is = is.ok_or_else(|| self.no_name("register or flag", name))?;
                let value = if value < 0 && same(is, value) {
                    is as i64
                } else {
                    value
                };
                self.found(name, is as i64, relation, value)
            }
            Place::Memory(space, at, width) => {
                let first = self.address(space.as_deref(), at)?;
                let width = u64::from(*width);
                for (i, value) in (0u64..).zip(values) {
                    let at = first + i * width;
                    let bytes = (0..width).map(|n| self.engine.simulation.peek(at + n));
                    let mut bytes: Vec<u8> = bytes.collect();
                    if self.on.target.big_endian() {
                        bytes.reverse();
                    }
                    let is = bytes.iter().rev().fold(0u64, |n, b| n << 8 | u64::from(*b));
                    fits(value, width)?;
                    let value = if value < 0 && same(is, value) {
                        is as i64
                    } else {
                        value
                    };
                    let what = format!("[${:X}]", self.on.image.local(at));
                    self.found(&what, is as i64, relation, value)?;
                }
                Ok(())
            }
        }
    }

    fn found(&self, what: &str, is: i64, relation: Relation, wanted: i64) -> Did<()> {
        if relation.holds(is, wanted) {
            return Ok(());
        }
        let number = |n: i64| match n {
            0..=9 => n.to_string(),
            10.. => format!("{n} (${n:X})"),
            _ => n.to_string(),
        };
        Err(match relation {
            Relation::Equal => format!("{what} is {}, not {}", number(is), number(wanted)),
            _ => format!(
                "{what} is {}, which is not {} {}",
                number(is),
                relation.mark(),
                number(wanted)
            ),
        })
    }

    /// Begins to count for a call or run.
    fn begin(&mut self, time: Option<&Time>) -> Did<u64> {
        let most = match time {
            Some(t) => self.clocks(t)?,
            None => self.on.running.clock().saturating_mul(USUAL),
        };
        self.began = self.sim().stack().unwrap_or(0);
        self.engine.lowest = self.began;
        self.halted = false;
        if let Some(probe) = self.sim().probe() {
            probe.forget();
        }
        Ok(self.sim().cycles().saturating_add(most))
    }

    /// Runs, with the routines that the test stands in for.
    fn advance(&mut self, goal: Option<Goal>, end: u64) -> Did<Came> {
        loop {
            match self.engine.advance(goal, end) {
                Came::Mock(n) => {
                    let settings = self.mocks[n];
                    settings.iter().try_for_each(|s| self.set(s))?;
                    if !self.sim().leave() {
                        return Err(format!("no routine returns on {}", self.name()));
                    }
                    let there = |g: Goal| {
                        let sim = &self.engine.simulation;
                        sim.pc() == g.pc && g.sp.is_none_or(|sp| sim.stack() == Some(sp))
                    };
                    if goal.is_some_and(there) {
                        return Ok(Came::There);
                    }
                }
                came => return Ok(came),
            }
        }
    }

    /// Says what was read and never written.
    fn unwritten(&mut self) -> Did<()> {
        let all = std::mem::take(&mut self.engine.unwritten);
        let Some(&(pc, at)) = all.first() else {
            return Ok(());
        };
        let more = match all.len() {
            1 => String::new(),
            n => format!(", and {} more reads", n - 1),
        };
        Err(format!(
            "the instruction at ${pc:04X}{} reads ${at:04X}, which was never written{more}",
            self.routine(pc)
        ))
    }

    fn routine(&self, pc: u64) -> String {
        let running = self.on.running;
        let of = running.routine(pc).map(|r| &running.routines()[r].name);
        of.map_or(String::new(), |n| format!(" in {n}"))
    }

    fn call(&mut self, at: &Value, within: Option<&Time>) -> Did<()> {
        let to = self.code(at)?;
        let back = self.sim().pc();
        let end = self.begin(within)?;
        let before = self.sim().cycles();
        if !self.sim().call(to, back) {
            return Err(format!(
                "nothing is called on {}: `start` a label and `run until` another",
                self.name()
            ));
        }
        // An older chip's stack pointer may only have been set now.
        let unset = self.began == 0;
        let mut goal = Goal {
            pc: back,
            sp: Some(self.began),
        };
        if unset {
            let sp = self.sim().stack().unwrap_or(0);
            self.engine.lowest = sp;
            let pushed = self.pushed();
            self.began = sp + pushed;
            goal.sp = Some(self.began);
        } else if let Some(sp) = self.sim().stack() {
            self.engine.lowest = sp;
        }
        let came = self.advance(Some(goal), end)?;
        self.took = self.sim().cycles() - before;
        self.halted = came == Came::Halted;
        self.unwritten()?;
        match came {
            Came::There => Ok(()),
            came => Err(self.lost("did not return", came, end - before)),
        }
    }

    /// Bytes that a call pushes here.
    fn pushed(&self) -> u64 {
        let mut copy = self.engine.simulation.snapshot();
        let before = copy.stack().unwrap_or(0);
        let pc = copy.pc();
        copy.call(pc, pc);
        before.saturating_sub(copy.stack().unwrap_or(0))
    }

    fn run_until(&mut self, until: Option<&Value>, time: Option<&Time>) -> Did<()> {
        let goal = match until {
            Some(v) => Some(Goal {
                pc: self.code(v)?,
                sp: None,
            }),
            None => None,
        };
        let end = self.begin(time)?;
        let before = self.sim().cycles();
        let came = self.advance(goal, end)?;
        self.took = self.sim().cycles() - before;
        self.halted = came == Came::Halted;
        self.unwritten()?;
        match (came, goal) {
            (Came::There, _) | (_, None) => Ok(()),
            (came, _) => Err(self.lost("did not come there", came, end - before)),
        }
    }

    fn lost(&self, what: &str, came: Came, clocks: u64) -> String {
        let pc = self.engine.simulation.pc();
        let place = self.routine(pc);
        match came {
            Came::Halted => format!("it {what}: the CPU halted at ${pc:04X}{place}"),
            _ => format!(
                "it {what} within {} {}; then it was at ${pc:04X}{place}",
                thousands(clocks),
                self.on.target.cycle_name()
            ),
        }
    }

    fn keys(&mut self, script: &str) -> Did<()> {
        let frame = self.on.running.frame();
        for step in keys::parse(script)? {
            let now = self.sim().cycles();
            match step {
                keys::Step::Wait(frames) => {
                    self.advance(None, now.saturating_add(frames.saturating_mul(frame)))?;
                }
                keys::Step::Press(key) => {
                    let name = keys::resolve(&key, self.sim())?;
                    self.sim().key(&name, true)?;
                    self.advance(None, now + HOLD * frame)?;
                    self.sim().key(&name, false)?;
                    self.advance(None, now + 2 * HOLD * frame)?;
                }
            }
        }
        self.unwritten()
    }

    fn shown(&mut self) -> Did<Screen> {
        let screen = self.sim().screen();
        match screen.text.is_empty() {
            true => Err(format!("{} shows no text", self.name())),
            false => Ok(screen),
        }
    }

    fn screen(&mut self, text: &str, wanted: bool) -> Did<()> {
        let screen = self.shown()?;
        let there = screen.text.iter().any(|l| l.contains(text));
        if there == wanted {
            return Ok(());
        }
        let mut out = match wanted {
            true => format!("no line of the screen has {text:?}; there is:"),
            false => format!("the screen has {text:?}:"),
        };
        let lines: Vec<&str> = screen.text.iter().map(|l| l.trim_end()).collect();
        let end = lines
            .iter()
            .rposition(|l| !l.is_empty())
            .map_or(0, |n| n + 1);
        if end == 0 {
            out += " nothing";
        }
        for line in lines[..end].iter().take(MOST_SHOWN) {
            out += &format!("\n| {line}");
        }
        Err(out)
    }

    fn serial(&mut self, text: &[u8], wanted: bool) -> Did<()> {
        let Some(sent) = self.sim().serial().map(<[u8]>::to_vec) else {
            return Err(format!("{} has no serial terminal here", self.name()));
        };
        let there = text.is_empty() || sent.windows(text.len()).any(|w| w == text);
        let shown = |b: &[u8]| {
            let end = b.len().saturating_sub(200);
            format!("{:?}", latin(&b[end..]))
        };
        match (there == wanted, wanted) {
            (true, _) => Ok(()),
            (_, true) => Err(format!(
                "{} was not sent; the last is {}",
                shown(text),
                shown(&sent)
            )),
            (_, false) => Err(format!("{} was sent", shown(text))),
        }
    }

    fn snapshot(&mut self, kind: &str, line: &Line) -> Did<()> {
        let content = match kind {
            "screen" => {
                let screen = self.shown()?;
                let lines = screen.text.iter().map(|l| format!("{}\n", l.trim_end()));
                Some(lines.collect())
            }
            "serial" => {
                let sent = self.sim().serial().map(latin);
                Some(sent.ok_or_else(|| format!("{} has no serial terminal here", self.name()))?)
            }
            _ => None,
        };
        self.done.shots.push(Shot {
            kind: kind.to_owned(),
            content,
            range: line.range.clone(),
        });
        Ok(())
    }
}

/// Bytes as the characters of Latin 1.
fn latin(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Whether a register that holds so many bits has a value, which may be negative.
fn same(is: u64, value: i64) -> bool {
    let bits = |n: u32| value as u64 & (u64::MAX >> (64 - n)) == is;
    is == value as u64
        || (-0x80..0).contains(&value) && bits(8)
        || (-0x8000..0).contains(&value) && bits(16)
        || (-0x8000_0000..0).contains(&value) && bits(32)
}

/// Refuses a value that so many bytes do not hold.
fn fits(value: i64, width: u64) -> Did<()> {
    let bits = 8 * width as u32;
    let range = -(1i64 << (bits - 1))..1i64 << bits;
    match range.contains(&value) {
        true => Ok(()),
        false => Err(format!(
            "{value} does not fit {width} byte{}",
            if width == 1 { "" } else { "s" }
        )),
    }
}

/// Bytes in hexadecimal; at most 32 of them.
fn hex(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().take(32).map(|b| format!("${b:02X}")).collect();
    match bytes.len() {
        0 => "nothing".into(),
        n if n > 32 => format!("{} … ({n} bytes)", shown.join(" ")),
        _ => shown.join(" "),
    }
}
