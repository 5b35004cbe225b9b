//! The interpreter: what a script may do, how much, and how it calls the assembler.

use super::patterns::{self, Capture, How};
use super::talk::{Ask, Failure, Given, Place, Reply};
use mlua::{HookTriggers, Lua, LuaOptions, LuaString, MultiValue, StdLib, Table, Value, VmState};
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Most instructions of all scripts of a source, in each run over it.
const INSTRUCTIONS: u64 = 50_000_000;
/// Most steps of looking for patterns.
const STEPS: u64 = 20_000_000;
/// Most bytes that the scripts hold.
const MEMORY: usize = 32 << 20;
/// Instructions between looks at how many there were.
const EVERY: u32 = 1000;
/// Scripts that move large texts about take longer than their instructions tell.
const TIME: Duration = Duration::from_secs(10);

/// What is left of the limits.
struct Budget {
    instructions: Cell<u64>,
    steps: Cell<u64>,
    over: Cell<bool>,
    /// When the outermost script began.
    began: Cell<Option<Instant>>,
}

/// An interpreter; what a script leaves in its variables is there for the next.
#[derive(Clone)]
pub struct Engine {
    lua: Lua,
    host: Table,
    budget: Rc<Budget>,
}

impl Engine {
    /// An interpreter in which no script has run.
    ///
    /// # Errors
    /// Why there is none.
    pub fn new() -> Result<Self, String> {
        let budget = Rc::new(Budget {
            instructions: Cell::new(INSTRUCTIONS),
            steps: Cell::new(STEPS),
            over: Cell::new(false),
            began: Cell::new(None),
        });
        let made = || {
            let library = StdLib::MATH | StdLib::STRING | StdLib::TABLE | StdLib::UTF8;
            let lua = Lua::new_with(library, LuaOptions::default())?;
            lua.set_memory_limit(MEMORY)?;
            let host = lua.create_table()?;
            let left = Rc::clone(&budget);
            let seek = lua.create_function(move |lua, asked| seek(lua, asked, &left))?;
            let prelude = lua.load(include_str!("prelude.lua")).set_name("=lua");
            prelude.call::<()>((&host, seek))?;
            let left = Rc::clone(&budget);
            let every = HookTriggers::new().every_nth_instruction(EVERY);
            lua.set_hook(every, move |lua, _| count(lua, &left))?;
            mlua::Result::Ok((lua, host))
        };
        let (lua, host) = made().map_err(|e| e.to_string())?;
        Ok(Self { lua, host, budget })
    }

    /// Fills the limits up again, for the next run over the source.
    pub fn renew(&self) {
        self.budget.instructions.set(INSTRUCTIONS);
        self.budget.steps.set(STEPS);
    }

    /// Runs a script, which has a number of its own.
    ///
    /// # Errors
    /// What stopped it.
    pub fn run(&self, number: usize, text: &str, ask: &mut Ask<'_>) -> Result<(), Failure> {
        let before: Value = self.host.raw_get("call").unwrap_or(Value::Nil);
        let outermost = self.budget.began.get().is_none();
        if outermost {
            self.budget.began.set(Some(Instant::now()));
        }
        let done = self.lua.scope(|scope| {
            let call =
                scope.create_function_mut(|lua, (name, rest): (LuaString, MultiValue)| {
                    let given: Vec<Given> = rest.into_iter().map(given).collect();
                    let name = name.to_string_lossy();
                    match ask(&name, &given, place(lua)) {
                        Ok(reply) => value(lua, reply),
                        Err(message) => Err(mlua::Error::runtime(message)),
                    }
                })?;
            self.host.raw_set("call", call)?;
            let name = format!("=<{number}>");
            let chunk = self.lua.load(text).set_name(name);
            chunk.set_mode(mlua::chunk::ChunkMode::Text).exec()
        });
        if outermost {
            self.budget.began.set(None);
        }
        let restored = self.host.raw_set("call", before);
        done.and(restored).map_err(|e| failure(&e))
    }
}

/// Between instructions: whether there were too many.
fn count(lua: &Lua, left: &Budget) -> mlua::Result<VmState> {
    let long = || left.began.get().is_some_and(|t| t.elapsed() > TIME);
    let rest = left.instructions.get().checked_sub(u64::from(EVERY));
    left.instructions.set(rest.unwrap_or(0));
    if rest.is_some() && !long() {
        return Ok(VmState::Continue);
    }
    if !left.over.replace(true) {
        // A script that catches the error does not get on.
        let each = HookTriggers::new().every_nth_instruction(1);
        lua.set_hook(each, |lua, _| Err(mlua::Error::runtime(too_long(lua))))?;
    }
    Err(mlua::Error::runtime(too_long(lua)))
}

fn too_long(lua: &Lua) -> String {
    use crate::diagnostic::text::thousands;
    let place = place(lua).map_or(String::new(), |(n, line)| format!("<{n}>:{line}: "));
    format!(
        "{place}the scripts take more than {} instructions, or too long for so many",
        thousands(INSTRUCTIONS)
    )
}

/// Looks for a pattern: text, pattern, first place, how, and the end that is none.
fn seek(
    lua: &Lua,
    (text, pattern, from, how, avoid): (LuaString, LuaString, usize, LuaString, Option<usize>),
    budget: &Budget,
) -> mlua::Result<MultiValue> {
    let none = || Ok(MultiValue::from_iter([Value::Nil]));
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let from = from.max(1) - 1;
    if from > text.len() {
        return none();
    }
    let how_said = how.as_bytes();
    if *how_said == *b"plain" {
        let at = memchr::memmem::find(&text[from..], &pattern).map(|at| at + from);
        let both = |at: usize| [at + 1, at + pattern.len()].map(|n| Value::Integer(n as i64));
        return at.map_or_else(none, |at| Ok(MultiValue::from_iter(both(at))));
    }
    let how = How {
        from,
        free: *how_said == *b"free",
        avoid: avoid.map(|n| n - 1),
    };
    let mut steps = budget.steps.get();
    let found = patterns::find(&text, &pattern, how, &mut steps);
    budget.steps.set(steps);
    let Some(found) = found.map_err(mlua::Error::runtime)? else {
        return none();
    };
    let mut out = vec![
        Value::Integer(found.from as i64 + 1),
        Value::Integer(found.to as i64),
    ];
    for c in found.captures {
        out.push(match c {
            Capture::Text(at, size) => Value::String(lua.create_string(&text[at..at + size])?),
            Capture::Place(at) | Capture::Open(at) => Value::Integer(at as i64 + 1),
        });
    }
    Ok(MultiValue::from_vec(out))
}

fn given(v: Value) -> Given {
    match v {
        Value::Nil => Given::Nil,
        Value::Boolean(b) => Given::Bool(b),
        Value::Integer(n) => Given::Number(n as f64),
        Value::Number(n) => Given::Number(n),
        Value::String(s) => Given::Text(s.to_string_lossy()),
        other => Given::Other(other.type_name()),
    }
}

fn value(lua: &Lua, reply: Reply) -> mlua::Result<Value> {
    Ok(match reply {
        Reply::Nil => Value::Nil,
        Reply::Bool(b) => Value::Boolean(b),
        Reply::Number(n) => Value::Integer(n),
        Reply::Text(s) => Value::String(lua.create_string(&s)?),
    })
}

/// The line of a script that runs, the innermost.
fn place(lua: &Lua) -> Option<Place> {
    for level in 0..8 {
        let found = lua.inspect_stack(level, |d| {
            let source = d.source();
            let number = source.short_src.as_deref().and_then(script)?;
            Some((number, d.current_line()?))
        })?;
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The number of a script in `<12>`.
fn script(name: &str) -> Option<usize> {
    name.strip_prefix('<')?.strip_suffix('>')?.parse().ok()
}

/// What stopped a script, without what the interpreter says of itself.
fn failure(e: &mlua::Error) -> Failure {
    let text = match e {
        mlua::Error::CallbackError { cause, .. } => {
            let inner = failure(cause);
            let whole = e.to_string();
            let place = inner.place.or_else(|| whole.lines().find_map(placed));
            return Failure { place, ..inner };
        }
        mlua::Error::SyntaxError { message, .. }
        | mlua::Error::RuntimeError(message)
        | mlua::Error::MemoryError(message) => message.clone(),
        other => other.to_string(),
    };
    let first = text.split("\nstack traceback").next().unwrap_or(&text);
    let place = placed(first).or_else(|| text.lines().find_map(placed));
    let mut message = first.to_owned();
    if placed(first).is_some() {
        message = first.splitn(3, ':').nth(2).unwrap_or("").trim().to_owned();
    }
    Failure { message, place }
}

/// The line that a text like `<1>:2: …` begins with.
fn placed(text: &str) -> Option<Place> {
    let mut parts = text.trim_start().splitn(3, ':');
    let number = script(parts.next()?)?;
    Some((number, parts.next()?.parse().ok()?))
}
