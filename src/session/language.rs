//! A source that is read as what it is not: another assembler's, or for another CPU.
//!
//! Nothing here guesses by style. The text is read by each dialect for each target, and
//! one is named only if it takes what the choice in force does not. Languages that
//! scrimp does not have are known by words that only they have.

use crate::diagnostic::{Diagnostic, Level, codes};
use crate::dialect::{self, foreign};
use crate::read::job::Job;
use crate::read::limits::Limits;
use crate::session::assemble::{Linking, Output, Settings, read};
use crate::targets;
use crate::text::language::{Dialect, LabelRule};
use crate::text::lex;
use crate::text::source::{LoadError, Loader, Span};
use scrimp_isa::Target;
use std::cell::Cell;
use std::collections::HashSet;

/// Bytes of the main file that are tried.
const MOST_MAIN: usize = 16 << 10;
/// Bytes of it where the first fault lies behind those.
const MOST_FAR: usize = 64 << 10;
/// Bytes of all other files together.
const MOST_OTHERS: usize = 64 << 10;
/// Bytes of the main file, and of all others, by which choices are told apart that read the
/// start of it alike.
const MOST_APART: (usize, usize) = (64 << 10, 128 << 10);
/// So many choices are told apart, by so many errors at most.
const APART: (usize, usize) = (12, 4);
/// Findings whose line is tried alone.
const MOST_LINES: usize = 8;
/// Bytes of a line that is tried alone: a longer one is no line that somebody wrote.
const MOST_LINE: usize = 1 << 10;
/// So many errors are worth asking whether the whole is another language.
const MANY: usize = 3;
/// So many words of included files may be macros of files that are missing.
const EXCUSED: usize = 32;
/// So many lines with faults are no slips, though a mend is known for each; fewer where no
/// label of the source is written as here.
const PLENTY: usize = 12;
const UNLIKE: usize = 5;
/// Choices that are named where several read it as well.
const MOST_NAMES: usize = 4;
/// What reads it must have so many times fewer errors.
const FEWER: usize = 5;

/// Errors that say nothing of the language: names and files that are missing, and
/// what is found when all is read.
pub(crate) const SILENT: &[&str] = &[
    codes::UNKNOWN_SYMBOL,
    codes::FILE_MISSING,
    codes::FILE_UNREADABLE,
    codes::OVERLAP,
    codes::REGION_FULL,
    codes::OUTSIDE_MEMORY,
    codes::UNKNOWN_REGION,
    codes::SECTION_FULL,
    codes::PAGE_FULL,
    codes::ASSERTION,
    codes::USER_ERROR,
    codes::BUDGET,
    codes::CLOCK,
    codes::CONTAINER,
    codes::UNCLOSED_BLOCK,
    codes::STRAY_END,
];

/// Errors that a source in another language gives.
const TELLING: &[&str] = &[
    codes::BAD_CHARACTER,
    codes::UNTERMINATED_TEXT,
    codes::BAD_NUMBER,
    codes::SYNTAX,
    codes::UNKNOWN_INSTRUCTION,
    codes::BAD_OPERANDS,
    codes::NOT_KNOWN_YET,
];

/// Errors after which nothing is tried: they are about cost, or end the run at once.
pub(crate) const FINAL: &[&str] = &[
    codes::INCLUDE_LOOP,
    codes::TOO_DEEP,
    codes::TOO_LONG,
    codes::ENDLESS_EXPANSION,
    codes::TOO_MUCH,
    // It says itself whose machine it is.
    codes::UNKNOWN_DEVICE,
];

/// A dialect on a target.
#[derive(Clone, Copy)]
struct Choice {
    dialect: &'static Dialect,
    target: &'static dyn Target,
}

/// How a choice reads a text.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Read {
    errors: usize,
    /// It needs to know the machine too.
    machine: bool,
    /// Files that are missing.
    missing: usize,
    /// It is taken as that assembler does and nobody means it: parts of it are ignored, say.
    odd: bool,
}

impl Read {
    /// Whether it is more than that all faults are ignored: of a few that says nothing.
    fn takes(&self, errors: usize) -> bool {
        !self.odd || errors >= MANY
    }
}

/// Files of a trial, not more than may be read for it.
struct Trial<'a> {
    inner: &'a dyn Loader,
    main: &'a str,
    text: &'a str,
    left: Cell<usize>,
}

impl Trial<'_> {
    fn counted(
        &self,
        loaded: Result<(String, Vec<u8>), LoadError>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        let found = loaded?;
        match self.left.get().checked_sub(found.1.len()) {
            Some(left) => self.left.set(left),
            None => return Err(LoadError::Missing { near: Vec::new() }),
        }
        Ok(found)
    }
}

impl Loader for Trial<'_> {
    fn load(&self, path: &str, from: Option<&str>) -> Result<(String, Vec<u8>), LoadError> {
        if from.is_none() && path == self.main {
            return Ok((path.to_owned(), self.text.as_bytes().to_vec()));
        }
        self.counted(self.inner.load(path, from))
    }
    fn load_any_case(
        &self,
        path: &str,
        from: Option<&str>,
    ) -> Result<(String, Vec<u8>), LoadError> {
        self.counted(self.inner.load_any_case(path, from))
    }
}

/// A missing file that another choice would bring.
fn brought(d: &Diagnostic) -> bool {
    let help = d.help.as_deref();
    d.code == codes::FILE_MISSING && help.is_some_and(|h| h.contains("`--"))
}

/// Errors that count against a choice: not those that say nothing of the language, but a
/// missing file that another choice would bring.
fn counted(output: &Output) -> impl Iterator<Item = &Diagnostic> {
    let counts = |d: &&Diagnostic| !SILENT.contains(&d.code) || brought(d);
    let all = output.diagnostics.iter();
    all.filter(|d| d.level == Level::Error).filter(counts)
}

/// Errors that may be those of another language.
fn telling(output: &Output) -> impl Iterator<Item = &Diagnostic> {
    counted(output).filter(|d| TELLING.contains(&d.code))
}

/// How many lines some findings are about: a line that is repeated, or of a macro, has one
/// fault for each time it is read.
fn faulty<'a>(found: impl Iterator<Item = &'a Diagnostic>, output: &Output) -> usize {
    let line = |d: &Diagnostic| {
        let s = output.sources.in_file(d.span?);
        Some((
            s.source,
            output.sources.get(s.source).line_column(s.start).0,
        ))
    };
    found.map(line).collect::<HashSet<_>>().len()
}

/// Whether nothing is told of how to mend it, or only a guess.
fn is_open(d: &Diagnostic) -> bool {
    match d.code {
        codes::NOT_KNOWN_YET => true,
        codes::UNKNOWN_INSTRUCTION => d.help.as_deref().is_none_or(is_weak),
        codes::BAD_OPERANDS => d.help.as_deref().is_none_or(is_weak),
        codes::SYNTAX => d.help.is_none(),
        _ => false,
    }
}

/// Names without definition that are registers where the source is read now.
fn strange(job: &Job<'_>, output: &Output) -> usize {
    let operands = job.target.operands().iter();
    let words = || {
        operands
            .clone()
            .filter_map(|o| o.words)
            .flat_map(|w| w.words)
    };
    let undefined = output
        .diagnostics
        .iter()
        .filter(|d| d.code == codes::UNKNOWN_SYMBOL);
    let text = |d: &Diagnostic| d.span.map_or("", |s| output.sources.slice(s)).to_owned();
    undefined
        .filter(|d| {
            let name = text(d);
            words().any(|w| w.0.eq_ignore_ascii_case(&name))
        })
        .count()
}

/// Adds to the findings of a failed run what the source would rather be.
pub fn explain(
    job: &Job<'_>,
    linking: &Linking,
    loader: &dyn Loader,
    mut output: Output,
) -> Output {
    // The source may have chosen the target by its machine.
    let target = targets::by_name(output.target).unwrap_or(job.target);
    let machine = job.machine.filter(|_| target.name() == job.target.name());
    let job = &Job {
        target,
        machine,
        ..job.clone()
    };
    let errors = telling(&output).count();
    if linking.files.is_empty()
        && let Some(d) = surely_foreign(job, &output)
    {
        return only(d, output);
    }
    // What is too much here may be little where it is read as what it is.
    let mild = |d: &Diagnostic| d.code == codes::TOO_MUCH && errors >= MANY;
    let ended = output.diagnostics.iter();
    let ended = ended.filter(|d| !mild(d)).any(|d| FINAL.contains(&d.code));
    if errors == 0 || ended || !linking.files.is_empty() {
        return output;
    }
    let main = output.sources.iter().find(|(_, s)| *s.name == *job.file);
    let Some((_, main)) = main else { return output };
    let first = telling(&output).next();
    let first = first.and_then(|d| place_in_main(job, &output, d));
    let most = match first.is_some_and(|s| s.start as usize >= MOST_MAIN) {
        true => MOST_FAR,
        false => MOST_MAIN,
    };
    let text = start_of(&main.text, most).to_owned();
    // A label alone is in any language.
    let filled = |l: &&str| {
        let l = l.trim();
        !l.is_empty() && !l.starts_with(';') && !l.ends_with(':')
    };
    let lines = text.lines().filter(filled).count();
    let open = faulty(telling(&output).filter(|d| is_open(d)), &output);
    let wrong = faulty(telling(&output), &output);
    // One line with a fault among others is a slip, however often it is found.
    let most = open * 2 >= lines && open > 0 && (open > 1 || lines == 1);
    // Or each fault is one that a mend is known for, but most lines have one, or plenty.
    let colon = |l: &str| {
        l.split_whitespace()
            .next()
            .is_some_and(|w| w.ends_with(':'))
    };
    let plenty = match text.lines().any(colon) {
        true => PLENTY,
        false => UNLIKE,
    };
    let known = errors >= FEWER && wrong * 2 >= lines || wrong >= plenty;
    // Elsewhere this sign says that a value follows.
    let signed = |d: &&Diagnostic| d.code == codes::BAD_NUMBER && d.message.starts_with("`#");
    let marked = faulty(telling(&output).filter(signed), &output);
    let many = wrong >= MANY && (open > 0 || marked >= MANY) || known;
    // Nothing behind the first word was read: there may be any number.
    let refused = telling(&output).any(|d| d.message.starts_with("the first word must be"));
    let errors = if refused { errors.max(MANY) } else { errors };
    if (many || most || refused)
        && let Some(d) = as_a_whole(job, loader, &output, &text, errors)
    {
        return only(d, output);
    }
    line_by_line(job, loader, &mut output);
    output
}

/// The finding for a language that one word tells.
fn surely_foreign(job: &Job<'_>, output: &Output) -> Option<Diagnostic> {
    let lines = telling(output).filter_map(|d| Some(line_of(output, d.span?)));
    let f = lines.filter_map(foreign::sure).next()?;
    let words = first_words(output);
    let span = place_in_main(job, output, telling(output).next()?)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Some(foreign_language(f, &words, span))
}

/// One finding in the place of all.
fn only(d: Diagnostic, mut output: Output) -> Output {
    output.diagnostics = vec![d];
    output.left_out = [0; 3];
    output.image = None;
    output
}

/// Whole lines of a text, not more than are tried.
fn start_of(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    match text.len() > end {
        true => &text[..text[..end].rfind('\n').map_or(0, |i| i + 1)],
        false => text,
    }
}

/// All choices but the one in force, those for its target first.
fn choices(job: &Job<'_>) -> Vec<Choice> {
    let mut list = Vec::new();
    for same in [true, false] {
        for dialect in dialect::all() {
            for &target in targets::all() {
                let fits = dialect.target.is_empty() || dialect.target == target.name();
                let is_same = target.name() == job.target.name();
                let chosen = is_same && dialect.name == job.dialect;
                if fits && is_same == same && !chosen {
                    list.push(Choice { dialect, target });
                }
            }
        }
    }
    list
}

/// The name that a text needs for a choice that knows by it whether it goes through the
/// C preprocessor, where that is not the one it has.
fn renamed(job: &Job<'_>, text: &str, c: Choice) -> Option<String> {
    let words = ["#include", "#define", "#if"];
    let wanted = |l: &str| words.iter().any(|w| l.trim_start().starts_with(w));
    let other = c.dialect.output.linked && !job.file.ends_with(".S") && text.lines().any(wanted);
    let stem = job.file.rsplit_once('.').map_or(&*job.file, |f| f.0);
    other.then(|| format!("{stem}.S"))
}

/// How another choice reads a text, with errors up to `most`; `None` if it is nothing there.
fn errors_as(
    job: &Job<'_>,
    loader: &dyn Loader,
    text: &str,
    c: Choice,
    most: usize,
) -> Option<Read> {
    errors_with(job, loader, (text, MOST_OTHERS), c, most)
}

/// The same with so many bytes of other files.
fn errors_with(
    job: &Job<'_>,
    loader: &dyn Loader,
    (text, others): (&str, usize),
    c: Choice,
    most: usize,
) -> Option<Read> {
    let own = job.machine.filter(|_| c.target.name() == job.target.name());
    let file = renamed(job, text, c).unwrap_or_else(|| job.file.clone());
    let with = |machine, most| {
        let trial_job = Job {
            file: file.clone(),
            target: c.target,
            machine,
            dialect: c.dialect.name.into(),
            defines: dialect::fitting(&job.defines, c.dialect),
        };
        let trial = Trial {
            inner: loader,
            main: &file,
            text,
            left: Cell::new(others),
        };
        let limits = Limits::trial(most, SILENT);
        read(&trial_job, &Settings::default(), &trial, limits)
    };
    let mut output = with(own, most);
    // A file that comes with machines: any of them shows how it is read then.
    let machine = own.is_none() && output.diagnostics.iter().any(brought);
    if machine {
        output = with(Some(c.target.usual_machine()?), most);
        output.diagnostics.retain(|d| d.code != codes::LACKING);
    }
    // The words of an included file may be macros of one that is missing.
    let lacks = |o: &Output| o.diagnostics.iter().any(|d| d.code == codes::FILE_MISSING);
    if !machine && lacks(&output) && counted(&output).next().is_some() {
        output = with(own, most + EXCUSED);
        let main = output.sources.iter().find(|(_, s)| *s.name == *file);
        let main = main.map(|(id, _)| id);
        let sources = &output.sources;
        let excused = |d: &Diagnostic| {
            let of_main = d.span.map(|s| sources.in_file(s).source) == main;
            d.code == codes::UNKNOWN_INSTRUCTION && !of_main
        };
        output.diagnostics.retain(|d| !excused(d));
    }
    // A listing's lines may be anything before the first word; and what ends with its
    // first fault has not been read.
    let listed = c.dialect.names.labels == LabelRule::Listed && !has_columns(text);
    let all = || output.diagnostics.iter();
    if listed || all().any(|d| brought(d) || FINAL.contains(&d.code)) {
        return None;
    }
    let missing = all().filter(|d| d.code == codes::FILE_MISSING).count();
    let odd = all().any(|d| d.code == codes::PEER_CODE);
    let errors = counted(&output).count() + strange(job, &output);
    Some(Read {
        errors,
        machine,
        missing,
        odd,
    })
}

/// Whether lines have the two columns of a listing, an address and a word: one of four that
/// say something, since numbers stand side by side in other sources too.
fn has_columns(text: &str) -> bool {
    let hex = |w: &str| w.len() == 4 && w.bytes().all(|b| b.is_ascii_hexdigit());
    let columns = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().take(3).collect();
        words.windows(2).any(|w| hex(w[0]) && hex(w[1]))
    };
    let lines = text.lines().filter(|l| !l.trim().is_empty());
    let (found, all) = lines.fold((0, 0), |(n, all), l| (n + usize::from(columns(l)), all + 1));
    found * 4 >= all && found > 0
}

/// The finding for a source that another choice reads, or that is a language which
/// scrimp does not have.
fn as_a_whole(
    job: &Job<'_>,
    loader: &dyn Loader,
    output: &Output,
    text: &str,
    errors: usize,
) -> Option<Diagnostic> {
    let words = first_words(output);
    let words: Vec<&str> = strange_words(job, &words);
    let most = errors / FEWER;
    let mut best: Option<(Read, Vec<Choice>)> = None;
    let first = telling(output).next()?;
    let line = first.span.map_or("", |s| line_of(output, s));
    // What is tried must reach as far as to the first error.
    let at = place_in_main(job, output, first)?;
    if at.start as usize >= text.len() {
        return None;
    }
    // What is tried of a large program may have none of the faults.
    let own = Choice {
        dialect: dialect::by_name(&job.dialect)?,
        target: targets::by_name(job.target.name())?,
    };
    let seen = errors_as(job, loader, text, own, errors);
    let seen = seen.map_or(errors, |s| s.errors);
    if seen == 0 {
        return None;
    }
    let most = most.min(seen / FEWER);
    // Behind a word that is known here stand numbers, as in many languages of other targets.
    let numbers = has_a_word(line, own);
    for c in choices(job) {
        // Of a few lines the first must be more than a label there.
        if errors < MANY && !has_columns(line) && !has_a_word(line, c) {
            continue;
        }
        let limit = best.as_ref().map_or(most, |b| b.0.errors);
        let read = errors_as(job, loader, text, c, limit + 1);
        let Some(n) = read.filter(|n| n.errors <= limit && n.takes(errors)) else {
            continue;
        };
        if numbers && c.target.name() != job.target.name() && !has_an_instruction(text, c) {
            continue;
        }
        // Of those that read it as well, the ones that find more files.
        let rank = |n: &Read| (n.errors, n.missing);
        match &mut best {
            Some((least, list)) if rank(least) == rank(&n) => list.push(c),
            Some((least, _)) if rank(least) < rank(&n) => {}
            _ => best = Some((n, vec![c])),
        }
    }
    let span = place_in_main(job, output, first)?;
    if let Some((n, mut list)) = best {
        made_for(job, &words, &mut list);
        told_apart(job, loader, output, &mut list);
        let file = renamed(job, text, list[0]);
        let mut d = other_choice(job, list, (errors, n.errors), first, span);
        if let (true, Some(help)) = (n.machine, &mut d.help) {
            help.push_str(" with the device by `--machine`");
        }
        if let (Some(file), Some(help)) = (file, &mut d.help) {
            let name = file.rsplit('/').next().unwrap_or(&file);
            help.push_str(&format!("; call the file `{name}`, for its C preprocessor"));
        }
        return Some(d);
    }
    let (language, hits) = foreign::like(&words)?;
    let known = words
        .iter()
        .filter(|w| language.words.iter().any(|o| o.0.eq_ignore_ascii_case(w)));
    if hits < 2 || known.count() * 3 < words.len() {
        return None;
    }
    Some(foreign_language(language, &words, span))
}

/// Leaves only those of several choices that read more of the program best.
fn told_apart(job: &Job<'_>, loader: &dyn Loader, output: &Output, list: &mut Vec<Choice>) {
    let mut sources = output.sources.iter();
    let Some((_, main)) = sources.find(|(_, s)| *s.name == *job.file) else {
        return;
    };
    // Another with a switch is not named beside it.
    let plain: Vec<Choice> = list
        .iter()
        .filter(|c| !is_variant(c, list))
        .copied()
        .collect();
    if !(2..=APART.0).contains(&plain.len()) {
        return;
    }
    *list = plain;
    let text = start_of(&main.text, MOST_APART.0);
    let errors = |c: &Choice| {
        let read = errors_with(job, loader, (text, MOST_APART.1), *c, APART.1);
        read.map_or(usize::MAX, |r| r.errors)
    };
    let all: Vec<usize> = list.iter().map(errors).collect();
    let least = all.iter().min().copied().unwrap_or(0);
    let mut all = all.iter();
    list.retain(|_| all.next() == Some(&least));
}

/// Words without the instructions that the target has, which speak for nobody else.
fn strange_words<'w>(job: &Job<'_>, words: &'w [String]) -> Vec<&'w str> {
    let own = |w: &&str| {
        job.target.forms().iter().any(|f| {
            f.spelling.is_empty()
                && f.needs & job.target.extensions() == 0
                && f.name.eq_ignore_ascii_case(w)
        })
    };
    let words = words.iter().map(String::as_str);
    words.filter(|w| !own(w)).collect()
}

/// Leaves only those choices that are made for the language of some words, if there are any;
/// a switch of a dialect comes behind those that need none.
fn made_for(job: &Job<'_>, words: &[&str], list: &mut Vec<Choice>) {
    list.sort_by_key(|c| (c.target.name() != job.target.name(), is_switched(c)));
    let ending = job.file.rsplit_once('.').map_or("", |f| f.1);
    for ends in foreign::made_for(words)
        .into_iter()
        .chain(foreign::called(ending))
    {
        let own = |c: &Choice| ends.iter().any(|end| c.dialect.name.ends_with(end));
        if list.iter().any(own) {
            list.retain(own);
        }
    }
}

/// Whether a dialect is another one with a switch.
fn is_switched(c: &Choice) -> bool {
    let base = c.dialect.name.rsplit_once('-').map(|n| n.0);
    base.is_some_and(|base| dialect::by_name(base).is_some())
}

/// `native-cpp` reads all that `native` does.
fn is_variant(c: &Choice, list: &[Choice]) -> bool {
    list.iter().any(|o| {
        let more = c.dialect.name.strip_prefix(o.dialect.name);
        more.is_some_and(|m| m.starts_with('-'))
    })
}

/// The finding that names who reads the source.
fn other_choice(
    job: &Job<'_>,
    list: Vec<Choice>,
    (own, other): (usize, usize),
    first: &Diagnostic,
    span: Span,
) -> Diagnostic {
    let c = list[0];
    let other_target = c.target.name() != job.target.name();
    let message = match other_target {
        true => format!(
            "this is source for {}, read as one for {}",
            c.target.name(),
            job.target.name()
        ),
        false => format!(
            "this is source for {}, read as {}",
            c.dialect.title,
            dialect::by_name(&job.dialect).map_or("", |d| d.title)
        ),
    };
    let choose = |c: &Choice| match (c.dialect.name == job.dialect, c.dialect.target.is_empty()) {
        (true, _) => format!("`--target {}`", c.target.name()),
        (false, true) if c.target.name() != job.target.name() => {
            format!(
                "`--dialect {} --target {}`",
                c.dialect.name,
                c.target.name()
            )
        }
        _ => format!("`--dialect {}`", c.dialect.name),
    };
    // Data alone may be of another target too.
    let own_name = |o: &&Choice| o.target.name() == c.target.name();
    let others = |o: &&Choice| !own_name(o) && !o.dialect.target.is_empty();
    let mut names: Vec<String> = Vec::new();
    for c in list
        .iter()
        .filter(own_name)
        .chain(list.iter().filter(others))
    {
        let name = choose(c);
        if !is_variant(c, &list) && !names.contains(&name) && names.len() < MOST_NAMES {
            names.push(name);
        }
    }
    let count = |n: usize| match n {
        0 => "none".to_owned(),
        n => n.to_string(),
    };
    let more = if own >= crate::diagnostic::MAX_FINDINGS {
        " or more"
    } else {
        ""
    };
    Diagnostic::new(codes::WRONG_LANGUAGE, message)
        .at(span)
        .label(first.label.clone().unwrap_or_else(|| first.message.clone()))
        .note(format!(
            "errors as it is read now: {own}{more}, as that: {}",
            count(other)
        ))
        .help(format!("choose it: {}", names.join(" or ")))
}

/// The finding for a language that scrimp does not have.
fn foreign_language(f: &foreign::Foreign, words: &[&str], span: Span) -> Diagnostic {
    let mut d = Diagnostic::new(codes::WRONG_LANGUAGE, format!("this looks like {}", f.name))
        .at(span)
        .help(f.help);
    let has = |w: &&(&str, &str)| words.iter().any(|o| o.eq_ignore_ascii_case(w.0));
    let found: Vec<_> = f.words.iter().filter(has).take(MOST_LINES).collect();
    let list = |words: Vec<String>| words.join(", ");
    d = d.note(format!(
        "by {}",
        list(found.iter().map(|w| format!("`{}`", w.0)).collect())
    ));
    let instead = found.iter().filter(|w| !w.1.is_empty() && w.1 != w.0);
    let instead: Vec<String> = instead.map(|w| format!("`{}` is `{}`", w.0, w.1)).collect();
    if !instead.is_empty() && f.help.contains("dialect") {
        d = d.note(format!("here {}", list(instead)));
    }
    d
}

/// The first word of each line of the main file with an error that tells.
fn first_words(output: &Output) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    // A label without a colon is no word of a language.
    let label = |d: &&Diagnostic| d.message.starts_with("the label `");
    for d in telling(output).filter(|d| !label(d)) {
        let Some(span) = d.span else { continue };
        let word = match d.code {
            codes::UNKNOWN_INSTRUCTION => output.sources.slice(span).to_owned(),
            _ => line_of(output, span)
                .split_whitespace()
                .next()
                .unwrap_or("")
                .trim_end_matches(':')
                .to_owned(),
        };
        if !word.is_empty() && !out.iter().any(|o| o.eq_ignore_ascii_case(&word)) {
            out.push(word);
        }
    }
    out
}

fn line_of(output: &Output, span: Span) -> &str {
    let source = output.sources.get(span.source);
    source.line(source.line_column(span.start).0)
}

/// Where a finding is, or what in the main file led there.
fn place_in_main(job: &Job<'_>, output: &Output, d: &Diagnostic) -> Option<Span> {
    let here = |s: &Span| {
        let s = output.sources.in_file(*s);
        *output.sources.get(s.source).name == *job.file
    };
    let way = d.trail.iter().map(|f| f.span);
    d.span.into_iter().chain(way).find(here).or(d.span)
}

/// Says of single lines who would take them.
fn line_by_line(job: &Job<'_>, loader: &dyn Loader, output: &mut Output) {
    let wanted = |d: &Diagnostic| {
        let codes = [
            codes::UNKNOWN_INSTRUCTION,
            codes::BAD_OPERANDS,
            codes::SYNTAX,
        ];
        codes.contains(&d.code) && d.trail.is_empty() && d.help.as_deref().is_none_or(is_weak)
    };
    let all = 0..output.diagnostics.len();
    let some: Vec<usize> = all
        .filter(|&i| wanted(&output.diagnostics[i]))
        .take(MOST_LINES)
        .collect();
    for i in some {
        let Some(span) = output.diagnostics[i].span else {
            continue;
        };
        let line = line_of(output, span).to_owned();
        if line.len() > MOST_LINE {
            continue;
        }
        let word = output.sources.slice(span).to_ascii_lowercase();
        let d = &output.diagnostics[i];
        let unknown = d.code == codes::UNKNOWN_INSTRUCTION;
        let own = own_word(job, &word).filter(|_| unknown);
        // What has a meaning here, or almost, is another target's only by its registers.
        let slip = !unknown || d.help.as_deref().is_some_and(|h| is_a_letter_off(h, &word));
        let help = match (own, takes_line(job, loader, &line, slip)) {
            (Some(own), Some(other)) => format!("`{word}` is `{own}` here; {other}"),
            (Some(own), None) => format!("`{word}` is `{own}` here"),
            (None, Some(other)) => other,
            (None, None) => continue,
        };
        output.diagnostics[i].help = Some(help);
    }
}

/// What scrimp has for a word of a language that it does not have.
fn own_word(job: &Job<'_>, word: &str) -> Option<&'static str> {
    let mut rows = foreign::ALL.iter().flat_map(|f| f.words);
    let own = rows
        .find(|w| w.0 == word && !w.1.is_empty() && w.1 != w.0)?
        .1;
    knows(own, job).then_some(own)
}

/// Whether the choice in force has a word.
fn knows(word: &str, job: &Job<'_>) -> bool {
    let dialect = dialect::by_name(&job.dialect);
    let directive = dialect.is_some_and(|d| d.words.directives.iter().any(|w| w.0 == word));
    let mut forms = job.target.forms().iter();
    directive || forms.any(|f| f.name == word && dialect.is_some_and(|d| d.takes(f, job.target)))
}

/// Whether the name that a hint says is a word with a letter more or less at its end.
fn is_a_letter_off(help: &str, word: &str) -> bool {
    let meant = help.strip_prefix("did you mean `");
    let meant = meant.and_then(|m| m.split('`').next()).unwrap_or("");
    let near = meant.len().abs_diff(word.len()) <= 1;
    !meant.is_empty() && near && (meant.starts_with(word) || word.starts_with(meant))
}

/// A near name is only a guess.
fn is_weak(help: &str) -> bool {
    help.starts_with("did you mean") || help.ends_with("gives one this name")
}

/// Whether a line has a register or the like that only another target has.
fn has_strange_word(job: &Job<'_>, line: &str, target: &dyn Target) -> bool {
    let of = |target: &dyn Target, word: &str| {
        let words = target.operands().iter().filter_map(|o| o.words);
        let mut words = words.flat_map(|w| w.words);
        words.any(|w| w.0.eq_ignore_ascii_case(word))
    };
    let code = line.split(';').next().unwrap_or("");
    let words = code.split(|c: char| !c.is_ascii_alphanumeric());
    words.skip(1).any(|w| of(target, w) && !of(job.target, w))
}

/// Who takes a line, if its word is one of theirs; where it may be a slip, another target
/// only by what it alone has.
fn takes_line(job: &Job<'_>, loader: &dyn Loader, line: &str, slip: bool) -> Option<String> {
    let text = format!("{line}\n");
    let mut found: Vec<Choice> = Vec::new();
    let mut without: Vec<Choice> = Vec::new();
    for c in choices(job) {
        let known = found.iter().any(|f| f.target.name() != c.target.name());
        let other = c.target.name() != job.target.name();
        if known || other && slip && !has_strange_word(job, line, c.target) {
            continue;
        }
        if !has_a_word(line, c) {
            continue;
        }
        match errors_as(job, loader, &text, c, 2) {
            Some(r) if r.odd => {}
            Some(r) if r.errors == 0 && r.missing > 0 => without.push(c),
            Some(r) if r.errors == 0 => found.push(c),
            _ => {}
        }
    }
    if found.is_empty() {
        found = without;
    }
    let words: Vec<&str> = line.split_whitespace().take(2).collect();
    made_for(job, &words, &mut found);
    let first = found.first()?;
    // A line that begins something is in each language what it begins.
    let own = Choice {
        dialect: dialect::by_name(&job.dialect)?,
        target: targets::by_name(job.target.name())?,
    };
    if errors_as(job, loader, &text, own, 2).is_some_and(|r| r.errors == 0) {
        return None;
    }
    if first.dialect.name == job.dialect {
        let target = first.target.name();
        return Some(format!(
            "it is an instruction of {target}: `--target {target}`"
        ));
    }
    let plain = found.iter().filter(|c| !is_variant(c, &found)).take(3);
    let names: Vec<String> = plain
        .map(|c| format!("`--dialect {}`", c.dialect.name))
        .collect();
    Some(format!("other dialects take it: {}", names.join(" or ")))
}

/// Whether a text has an instruction of a choice's target; what is none of a dialect's words
/// may be its own way to write one.
fn has_an_instruction(text: &str, c: Choice) -> bool {
    let own = |w: &str| {
        let mut forms = c.target.forms().iter();
        forms.any(|f| f.name.eq_ignore_ascii_case(w) && c.dialect.takes(f, c.target))
    };
    let listed = c.dialect.names.labels == LabelRule::Listed;
    listed || text.lines().any(|l| l.split_whitespace().take(3).any(own))
}

/// Whether one of the first two words of a line is one of a choice's own.
fn has_a_word(line: &str, c: Choice) -> bool {
    let mut toks = Vec::new();
    lex::line(
        line,
        0,
        crate::text::source::SourceId(0),
        c.dialect.lexing,
        &mut toks,
    );
    toks.iter().take(3).any(|t| {
        let word = &line[t.span.start as usize..t.span.end as usize];
        let is = |name: &str| name.eq_ignore_ascii_case(word);
        let relaxed = c.dialect.target.is_empty() && c.target.relax().iter().any(|r| is(r.name));
        let hash = word == "#" && c.dialect.preprocessor.is_some();
        relaxed
            || hash
            || c.target
                .forms()
                .iter()
                .any(|f| is(f.name) && c.dialect.takes(f, c.target))
            || c.dialect.words.directives.iter().any(|d| is(d.0))
    })
}
