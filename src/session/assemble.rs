//! The way from source text to image.

use crate::diagnostic::MAX_FINDINGS;
use crate::diagnostic::findings::Findings;
use crate::diagnostic::policy::Policy;
use crate::diagnostic::{Diagnostic, codes, near};
use crate::dialect::{self};
use crate::emit::emit;
use crate::image::{ExpansionKind, Image};
use crate::optimize::{self, Ledger};
use crate::program::symbol::Meaning;
use crate::program::{Needed, Outcome, Program, Script, Value};
use crate::read::Assembler;
use crate::read::expand::FeedKind;
use crate::read::hooks::{Given, Own, Relaxing};
use crate::read::job::Job;
use crate::read::limits::Limits;
use crate::read::state::account::Account;
use crate::read::state::again::Prior;
use crate::read::state::files::Files;
use crate::session::known::Known;
use crate::session::pass::Pass;
use crate::session::test::grammar;
use crate::text::language::Dialect;
use crate::text::source::{Loader, SourceId, Sources, Span};
use scrimp_isa::{Machine, Target};
use std::any::Any;
use std::borrow::Cow;

/// What came of it.
pub struct Output {
    /// The texts that were read, for rendering.
    pub sources: Sources,
    /// Findings in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more notes, warnings and errors there were.
    pub left_out: [usize; 3],
    /// The program; `None` if there was an error.
    pub image: Option<Image>,
    /// Name of the target: that of the job, or the one that the source chose.
    pub target: &'static str,
    /// Names with their references, and sections; empty unless asked for.
    pub known: Known,
    /// What the optimizer did, if it was asked.
    pub ledger: Option<Ledger>,
    /// That as edits of the sources, if it was asked.
    pub written: Option<optimize::source::Written>,
    /// Tests that stand in the source.
    pub tests: Vec<Script>,
}

impl Output {
    /// Nothing was read.
    pub(super) fn refused(target: &'static str, d: Diagnostic) -> Self {
        Self::failed(target, Sources::default(), d)
    }

    fn failed(target: &'static str, sources: Sources, d: Diagnostic) -> Self {
        Self {
            target,
            known: Known::default(),
            tests: Vec::new(),
            sources,
            diagnostics: vec![d],
            left_out: [0; 3],
            image: None,
            ledger: None,
            written: None,
        }
    }
}

/// What is linked with the main file, in dialects that link.
#[derive(Clone, Debug, Default)]
pub struct Linking {
    /// Further files, each with names of its own.
    pub files: Vec<String>,
    /// Addresses of sections by name.
    pub addresses: Vec<(String, u64)>,
    /// Values of symbols that no file defines.
    pub symbols: Vec<(String, i64)>,
    /// Long jumps and calls become short where that reaches, in any dialect.
    pub relax: bool,
    /// The scripts of a source run, in dialects that have some.
    pub scripts: bool,
}

/// How a program is assembled, besides what the job says.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What is linked with the main file.
    pub linking: Linking,
    /// Which warnings are shown, and which are errors.
    pub warnings: Policy,
    /// The job's target is a guess: a machine that the source names may be of another.
    pub any_target: bool,
    /// Promises are proven with all that takes seconds, as `scrimp check` does.
    pub whole_proof: bool,
    /// Names are kept with all their references.
    pub index: bool,
    /// The program is made smaller, so.
    pub optimize: Option<optimize::Options>,
    /// The process ends soon: the system takes its memory back at once.
    pub ends: bool,
}

/// Why the source is read again.
pub(crate) enum Next {
    /// It knows now what a run missed.
    Prior(Box<Prior>),
    /// The source names its machine, which counts from its first line on.
    Machine(&'static dyn Target, &'static dyn Machine),
}

/// Assembles a program within limits.
pub(crate) fn read(
    job: &Job<'_>,
    settings: &Settings,
    loader: &dyn Loader,
    limits: Limits,
) -> Output {
    read_by(job, settings, loader, limits, &mut ())
}

pub(super) fn read_by(
    job: &Job<'_>,
    settings: &Settings,
    loader: &dyn Loader,
    limits: Limits,
    pass: &mut dyn Pass,
) -> Output {
    let Some(dialect) = dialect::by_name(&job.dialect) else {
        let names = dialect::names();
        let mut d = Diagnostic::new(
            codes::BAD_ARGUMENT,
            format!("there is no dialect `{}`", job.dialect),
        )
        .note(format!("there are {}", names.join(", ")));
        if let Some(n) = near::nearest(&job.dialect, names.iter().copied()) {
            d = d.help(format!("did you mean `{n}`?"));
        }
        return Output::failed(job.target.name(), Sources::default(), d);
    };
    let mut job = Cow::Borrowed(job);
    let mut prior = Box::<Prior>::default();
    loop {
        match run(&job, settings, loader, (dialect, limits), prior, pass) {
            Ok(output) => return output,
            Err(Next::Prior(found)) => prior = found,
            Err(Next::Machine(target, machine)) => {
                prior = Box::default();
                let job = job.to_mut();
                (job.target, job.machine) = (target, Some(machine));
            }
        }
    }
}

/// One run over the source; the error is what the next one needs to know.
fn run(
    job: &Job<'_>,
    settings: &Settings,
    loader: &dyn Loader,
    (dialect, limits): (&'static Dialect, Limits),
    mut prior: Box<Prior>,
    pass: &mut dyn Pass,
) -> Result<Output, Next> {
    let mut a = begin(job, settings, loader, (dialect, limits), &mut prior);
    if let Err(d) = read_files(&mut a, &settings.linking, prior.own.take()) {
        return Ok(Output::failed(job.target.name(), a.program.sources, *d));
    }
    if let Some((target, machine)) = a.chosen.named {
        return Err(Next::Machine(target, machine));
    }
    if let Some(found) = a.again() {
        return Err(Next::Prior(found));
    }
    end_of_reading(&mut a);
    let tests = take_tests(&mut a);
    let (mut ledger, mut written) = (None, None);
    let image = if a.fatal {
        None
    } else {
        if settings.linking.relax && !a.has_errors() {
            relax(&mut a);
        }
        if let Some(options) = &settings.optimize
            && !a.has_errors()
        {
            let (done, edits) = shrink(&mut a, options);
            (ledger, written) = (Some(done), edits);
        }
        Some(link(&mut a, settings.whole_proof, pass))
    };
    let known = match settings.index {
        true => Known::of(&a.program, image.as_ref()),
        false => Known::default(),
    };
    let broken = ledger.as_ref().is_some_and(|l| !l.broken.is_empty());
    let failed = a.fatal || a.has_errors() || broken;
    let (mut diagnostics, left_out) = a.account.findings.into_parts();
    // In the order of the text, so that a reader goes through a file once.
    let place = |s: Span| {
        let s = a.program.sources.in_file(s);
        (s.source.0, s.start)
    };
    diagnostics.sort_by_key(|d| d.span.map_or((u32::MAX, 0), place));
    if settings.ends {
        std::mem::forget(a.program.symbols);
    }
    Ok(Output {
        target: job.target.name(),
        tests,
        sources: a.program.sources,
        diagnostics,
        left_out,
        known,
        image: image.filter(|_| !failed),
        ledger,
        written,
    })
}

/// A reader before the first line.
fn begin<'a>(
    job: &'a Job<'a>,
    settings: &Settings,
    loader: &'a dyn Loader,
    (dialect, limits): (&'static Dialect, Limits),
    prior: &mut Prior,
) -> Assembler<'a> {
    prior.sources.forget_includes();
    let program = Program::new(job.target, dialect, std::mem::take(&mut prior.sources));
    let files = Files {
        loader,
        loaded: std::mem::take(&mut prior.loaded),
        folders: Vec::new(),
        paste: None,
    };
    let account = Account::new(Findings::new(&settings.warnings), limits);
    let own = Own::new(dialect::hooks(dialect), dialect::by_name);
    let mut read: Vec<SourceId> = files.loaded.values().copied().collect();
    read.sort_unstable_by_key(|id| id.0);
    read.dedup();
    let bytes = |id: &SourceId| program.sources.get(*id).text.len();
    let read = read.iter().map(bytes).sum();
    let mut a = Assembler::new(job, program, files, account, own, prior);
    a.symbols.read = read;
    a.chosen.any_target = settings.any_target;
    let shorter = settings.linking.relax || settings.optimize.is_some();
    a.chosen.decided = shorter.then(Vec::new);
    if let Some(m) = job.machine {
        a.take_machine(m);
    }
    if settings.index {
        a.symbols.keep_uses();
    }
    a.first_segment();
    a
}

/// Reads the main file and those that are linked with it; the error is that there is no
/// main file.
fn read_files(
    a: &mut Assembler<'_>,
    linking: &Linking,
    before: Option<Box<dyn Any>>,
) -> Outcome<()> {
    let hooks = a.own.hooks;
    let given = Given {
        addresses: &linking.addresses,
        symbols: &linking.symbols,
        scripts: linking.scripts,
    };
    hooks.start(a, given);
    if let Some(before) = before {
        hooks.carry(a, before);
    }
    let main = &a.job.file;
    hooks.file(a, main, true);
    define_all(a);
    let id = a.load_source(main, None, None)?;
    read_file(a, id, main);
    for file in &linking.files {
        if a.fatal {
            break;
        }
        if !hooks.links() {
            let message = format!("the dialect `{}` does not link files", a.dialect.name);
            let d = Diagnostic::new(codes::BAD_ARGUMENT, message);
            a.stop(Box::new(
                d.help("include one in the other, or use a dialect that links"),
            ));
            break;
        }
        let id = match a.load_source(file, None, None) {
            Ok(id) => id,
            Err(d) => {
                a.stop(d);
                break;
            }
        };
        hooks.file(a, file, false);
        define_all(a);
        read_file(a, id, file);
    }
    Ok(())
}

fn read_file(a: &mut Assembler<'_>, source: SourceId, name: &str) {
    a.statement = Span::new(source, 0, 0);
    let what = ExpansionKind::Include(name.into());
    a.push_feed(FeedKind::File { source, at: 0 }, what);
    a.read_all();
}

/// What is to say of the program as a whole, and what its linker does.
fn end_of_reading(a: &mut Assembler<'_>) {
    a.again.finish();
    a.fatal |= a.account.findings.errors() >= MAX_FINDINGS;
    if let Some(name) = a.unsettled().first() {
        let d = Diagnostic::new(
            codes::CIRCULAR,
            format!("`{name}` decides about lines or room above it that decide about its value"),
        );
        let id = a.symbols.intern(name);
        let d = match a.symbols.get(id).span {
            Some(at) => d.at(at),
            None => d,
        };
        a.report(Box::new(d));
    }
    if !a.fatal {
        a.own.hooks.finish(a);
    }
}

/// The tests that stand in the source.
fn take_tests(a: &mut Assembler<'_>) -> Vec<Script> {
    let tests = std::mem::take(&mut a.program.asked.tests);
    for script in &tests {
        let faults = grammar::check(a.program.sources.slice(script.body), script.body);
        faults.into_iter().for_each(|d| a.report(Box::new(d)));
    }
    tests
}

/// Lets long jumps be short where that reaches, as far as the dialect can have it.
fn relax(a: &mut Assembler<'_>) {
    match a.own.hooks.relaxing(a) {
        Some(Relaxing::But(sections)) => {
            a.program.relax(Some(sections));
            decided_with_long_forms(a);
        }
        Some(Relaxing::ButTables) => {
            a.program.relax(None);
            decided_with_long_forms(a);
        }
        None => {
            let name = a.dialect.name;
            let message = format!("jumps do not become shorter in the dialect `{name}`");
            let d = Diagnostic::new(codes::BAD_ARGUMENT, message)
                .note("it places what it reads at once, and nothing can move any more");
            a.report(Box::new(d.help("leave `--relax` and `relax = true` out")));
        }
    }
}

/// What the reading decided by a number that is another one now.
fn decided_with_long_forms(a: &mut Assembler<'_>) {
    let decided = a.chosen.decided.clone().unwrap_or_default();
    if decided.is_empty() {
        return;
    }
    let layout = a.program.lay_out();
    let values = a.program.final_values(&layout);
    for d in decided {
        let now = a.program.value_of(Value::Expr(d.value), &layout, &values);
        let Ok(now) = now else { continue };
        if now == d.number || d.what == Needed::Truth && (now != 0) == (d.number != 0) {
            continue;
        }
        let message = format!(
            "this was {} with long jumps and is {now} with short ones",
            d.number
        );
        let found = Diagnostic::new(codes::LONG_FORMS, message).at(d.span);
        let found = found.note("what is decided while a source is read is decided with long jumps");
        a.report(Box::new(found));
    }
}

/// Makes the program smaller. There is no image if what is claimed is not what is saved.
fn shrink(
    a: &mut Assembler<'_>,
    options: &optimize::Options,
) -> (Ledger, Option<optimize::source::Written>) {
    let outside = &options.contracts;
    let file = !outside.list.is_empty();
    let file = file.then(|| a.program.sources.add(&*outside.name, &*outside.text));
    a.program.asked.decided = a.chosen.decided.take().unwrap_or_default();
    let made = optimize::optimize(&a.program, options, file);
    for d in made.findings {
        a.report(Box::new(d));
    }
    if let Some(program) = made.program {
        a.program = program;
    }
    (made.ledger, made.written)
}

/// From what has been read to the image: layout, values, bytes, proofs. Each is a
/// function of the program and of what came before it; findings go back to the reader,
/// which knows the way that led there.
fn link(a: &mut Assembler<'_>, whole_proof: bool, pass: &mut dyn Pass) -> Image {
    if !a.has_errors() {
        pass.read(&mut a.program);
    }
    let mut l = a.program.lay_out();
    let mut values = a.program.final_values(&l);
    if !a.has_errors()
        && let Some(wanted) = a.program.wanted(&l, &values)
    {
        a.settle(wanted.problems);
        if !a.has_errors() {
            a.program.fill(wanted.filling);
            l = a.program.lay_out();
            values = a.program.final_values(&l);
        }
    }
    if !a.has_errors() {
        pass.placed(&a.program, &l);
    }
    let (mut image, problems) = emit(&a.program, &l, &values);
    a.settle(problems);
    if !a.has_errors() {
        let problems = a.program.prove(&mut image, &l, &values, whole_proof);
        a.settle(problems);
    }
    // Only now: each finding shows the way that led to it.
    image.expansions = std::mem::take(&mut a.program.expansions);
    image
}

/// Defines what was defined from outside.
fn define_all(a: &mut Assembler<'_>) {
    let nowhere = Span::new(SourceId(0), 0, 0);
    let hooks = a.own.hooks;
    let texts = hooks.takes_texts(a.dialect);
    for (name, given) in &a.job.defines {
        if let Some(why) = given.fault(a.dialect.name, texts) {
            let d = Diagnostic::new(codes::BAD_ARGUMENT, format!("`{name}` from outside: {why}"));
            a.report(Box::new(d));
            continue;
        }
        if hooks.given(a, name, given) {
            continue;
        }
        // Other texts are the preprocessor's.
        let Some(number) = given.number else { continue };
        let id = a.symbols.intern(name);
        let meaning = Meaning::Number(a.dialect.values.width.wrap(number));
        if a.define(id, meaning, nowhere, true).is_ok() {
            a.symbols.get_mut(id).span = None;
        }
    }
}
