//! The way from source text to image: the library's front door.

use crate::again::{Again, Prior};
use crate::diagnostic::policy::Policy;
use crate::diagnostic::{Diagnostic, codes, near};
use crate::dialect::{self, Dialect};
use crate::expand::pragma::{ByteRange, PartFacts};
use crate::expand::{FeedKind, Listed};
use crate::findings::Findings;
use crate::image::{ExpansionKind, Image, NONE};
use crate::job::Job;
use crate::limits;
use crate::program::{Assembler, MAX_FINDINGS, MAX_IMAGE};
use crate::source::{Loader, SourceId, Sources, Span};
use crate::symbol::{Meaning, Place, Symbols};
use crate::words::Words;
use rustc_hash::FxHashMap;
use scrimp_isa::{Machine, Space, Target};
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
}

impl Output {
    fn failed(job: &Job<'_>, sources: Sources, d: Diagnostic) -> Self {
        Self {
            target: job.target.name(),
            sources,
            diagnostics: vec![d],
            left_out: [0; 3],
            image: None,
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
}

/// Assembles a program of one main file.
pub fn assemble(job: &Job<'_>, loader: &dyn Loader) -> Output {
    assemble_linked(job, &Linking::default(), loader)
}

/// What a run may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Errors before it is given up.
    pub errors: usize,
    /// Errors that do not count.
    pub silent: &'static [&'static str],
    /// Lines of macros and repeats that count as made before it starts.
    expanded: u64,
    /// Likewise for bytes of the program.
    emitted: usize,
}

impl Limits {
    /// Those of a run for its result.
    const WHOLE: Self = Self {
        errors: MAX_FINDINGS,
        silent: &[],
        expanded: 0,
        emitted: 0,
    };

    /// Whether nobody will read what is found.
    pub fn is_trial(&self) -> bool {
        !self.silent.is_empty()
    }

    /// Those of a run that shows whether a source is written so: cheap, and over when
    /// there are `errors` errors.
    pub fn trial(errors: usize) -> Self {
        Self {
            errors,
            silent: crate::hints::language::SILENT,
            expanded: limits::LINES - 5_000,
            emitted: MAX_IMAGE - (1 << 20),
        }
    }
}

/// Assembles a program of one or more files.
pub fn assemble_linked(job: &Job<'_>, linking: &Linking, loader: &dyn Loader) -> Output {
    let settings = Settings {
        linking: linking.clone(),
        ..Settings::default()
    };
    assemble_with(job, &settings, loader)
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
}

/// Why the source is read again.
pub(crate) enum Next {
    /// It knows now what a run missed.
    Prior(Box<Prior>),
    /// The source names its machine, which counts from its first line on.
    Machine(&'static dyn Target, &'static dyn Machine),
}

/// Assembles a program with all settings.
pub fn assemble_with(job: &Job<'_>, settings: &Settings, loader: &dyn Loader) -> Output {
    let output = read(job, settings, loader, Limits::WHOLE);
    crate::hints::language::explain(job, &settings.linking, loader, output)
}

/// Assembles a program within limits.
pub(crate) fn read(
    job: &Job<'_>,
    settings: &Settings,
    loader: &dyn Loader,
    limits: Limits,
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
        return Output::failed(job, Sources::default(), d);
    };
    let mut job = Cow::Borrowed(job);
    let mut prior = Box::<Prior>::default();
    loop {
        match run(&job, settings, loader, (dialect, limits), prior) {
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
) -> Result<Output, Next> {
    let linking = &settings.linking;
    let nowhere = Span::new(SourceId(0), 0, 0);
    prior.sources.forget_includes();
    let again = Again::new(&mut prior);
    let mut a = Assembler {
        again,
        line_span: None,
        part: PartFacts::default(),
        byte_range: ByteRange::default(),
        job,
        loader,
        dialect,
        words: Words::new(job.target, dialect),
        forms: job.target.forms(),
        operands: job.target.operands(),
        sources: prior.sources,
        loaded: prior.loaded,
        symbols: Symbols::default(),
        ops: Vec::new(),
        findings: Findings::new(&settings.warnings),
        fatal: false,
        sections: Vec::new(),
        section_names: FxHashMap::default(),
        regions: Vec::new(),
        own_regions: false,
        chunks: Vec::new(),
        section: 0,
        chunk: 0,
        emitted: limits.emitted,
        fixups: Vec::new(),
        later: Vec::new(),
        budgets: Vec::new(),
        contracts: Vec::new(),
        placed_contracts: 0,
        slices: None,
        grid: Vec::new(),
        cells: Vec::new(),
        filled: FxHashMap::default(),
        rom_table: None,
        tables: 0,
        same_page: Vec::new(),
        page_names: Vec::new(),
        options: Vec::new(),
        entry: None,
        feeds: Vec::new(),
        in_slot: false,
        listed: Listed::default(),
        conditions: Vec::new(),
        blocks: Vec::new(),
        scopes: Vec::new(),
        macros: FxHashMap::default(),
        expansions: Vec::new(),
        expansion: NONE,
        memo: crate::expand::memo::Memo::default(),
        compared: limits::COMPARED.into(),
        tails: 0,
        held: 0,
        included: (0, 0),
        missing: 0,
        unkept: 0,
        incbins: 0,
        expanded: limits.expanded,
        made_text: 0,
        limits,
        silent_errors: 0,
        raw: false,
        parent: "".into(),
        prefix: String::new(),
        charmap: None,
        statement: nowhere,
        here: Place {
            chunk: 0,
            offset: 0,
            tail: 0,
        },
        here_value: None,
        structure: None,
        paste: None,
        space: job.target.address_space(),
        spaces: spaces(job),
        machine: None,
        any_target: settings.any_target,
        whole_proof: settings.whole_proof,
        named: None,
        below_zero: false,
        high: Vec::new(),
        features: job.target.default_features(),
        code_wrap: None,
        units: Vec::new(),
        overlap: false,
        register_names: FxHashMap::default(),
        pre: None,
        gnu: crate::gnu::State::default(),
    };
    if let Some(m) = job.machine {
        a.take_machine(m);
    }
    a.symbols.case_blind = dialect.case_blind;
    a.first_segment();
    if dialect.gnu {
        a.gnu.addresses.clone_from(&linking.addresses);
        a.gnu.given.clone_from(&linking.symbols);
        a.gnu_start();
        a.gnu_file(&job.file);
    }
    define_all(&mut a);
    let main = match a.load_source(&job.file, None, None) {
        Ok(id) => id,
        Err(d) => return Ok(Output::failed(job, a.sources, *d)),
    };
    a.statement = Span::new(main, 0, 0);
    a.push_feed(
        FeedKind::File {
            source: main,
            at: 0,
        },
        ExpansionKind::Include(job.file.clone()),
    );
    a.read_all();
    for file in &linking.files {
        if a.fatal {
            break;
        }
        if !dialect.gnu {
            let message = format!("the dialect `{}` does not link files", dialect.name);
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
        a.gnu_next();
        a.gnu_file(file);
        define_all(&mut a);
        a.statement = Span::new(id, 0, 0);
        let what = ExpansionKind::Include(file.clone());
        a.push_feed(FeedKind::File { source: id, at: 0 }, what);
        a.read_all();
    }
    if let Some((target, machine)) = a.named {
        return Err(Next::Machine(target, machine));
    }
    if let Some(found) = a.again() {
        return Err(Next::Prior(found));
    }
    a.again.finish();
    a.fatal |= a.findings.errors() >= MAX_FINDINGS;
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
    if dialect.gnu && !a.fatal {
        a.gnu_link();
    }
    let image = if a.fatal { None } else { Some(a.link()) };
    let failed = a.fatal || a.has_errors();
    let (mut diagnostics, left_out) = a.findings.into_parts();
    // In the order of the text, so that a reader goes through a file once.
    let place = |s: Span| {
        let s = a.sources.in_file(s);
        (s.source.0, s.start)
    };
    diagnostics.sort_by_key(|d| d.span.map_or((u32::MAX, 0), place));
    Ok(Output {
        target: job.target.name(),
        sources: a.sources,
        diagnostics,
        left_out,
        image: image.filter(|_| !failed),
    })
}

/// Defines what was defined from outside.
fn define_all(a: &mut Assembler<'_>) {
    let nowhere = Span::new(SourceId(0), 0, 0);
    for (name, value) in &a.job.defines {
        let id = a.symbols.intern(name);
        let meaning = Meaning::Number(a.dialect.width.wrap(*value));
        if a.define(id, meaning, nowhere, true).is_ok() {
            a.symbols.get_mut(id).span = None;
        }
    }
}

/// The target's spaces, or the one that it is.
fn spaces(job: &Job<'_>) -> Vec<Space> {
    let list = job.target.spaces();
    if !list.is_empty() {
        return list.to_vec();
    }
    vec![Space {
        name: "memory",
        base: 0,
        size: job.target.address_space(),
        unit: 1,
        stored: true,
    }]
}
