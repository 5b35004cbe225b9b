//! Where scripts stand, and in which pass they run.

use super::super::state::State;
use super::engine::Engine;
use super::scripts::{DEPTH, LAST, MOST, Scripts, When};
use super::talk::{Failure, Place};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::Outcome;
use crate::program::symbol::Meaning;
use crate::read::Assembler;
use crate::read::expand::FeedKind;
use crate::text::lex::{Kind, Tok};
use crate::text::source::{SourceId, Span};
use std::rc::Rc;

/// Lines of a script: where they stand, and what they are.
struct Script {
    source: SourceId,
    from: u32,
    text: String,
}

impl Assembler<'_> {
    pub(super) fn sj_scripts(&mut self) -> &mut Scripts {
        &mut self.own.get_mut::<State>().scripts
    }

    /// Which of the three passes this run is.
    pub(in super::super) fn sj_pass(&self) -> u32 {
        match self.own.get::<State>().scripts.met {
            true => (self.again.runs + 1).min(LAST),
            false => LAST,
        }
    }

    /// `lua`, `lua pass1` and so on up to `endlua`.
    pub(in super::super) fn sj_lua(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let statement = self.statement;
        let script = self.sj_script(t);
        self.statement = statement;
        let script = script?;
        self.sj_lua_allowed(t)?;
        let when = match rest.first() {
            Some(w) => self.text(w).to_ascii_lowercase(),
            None => String::new(),
        };
        let when = match when.as_str() {
            "allpass" => When::All,
            "pass1" => When::Early(1),
            "pass2" => When::Early(2),
            "" | "pass3" => When::Last,
            _ => {
                let d = Diagnostic::new(codes::BAD_ARGUMENT, format!("`{when}` is no pass"));
                let d = d.at(rest[0].span).help("pass1, pass2, pass3, allpass");
                return Err(Box::new(d));
            }
        };
        let now = match when {
            When::All => true,
            When::Early(pass) => pass == self.sj_pass(),
            When::Last => self.sj_pass() == LAST,
        };
        match now {
            true => self.sj_run(&script, when),
            false => Ok(()),
        }
    }

    /// `includelua file`: a script that runs in the first pass.
    pub(in super::super) fn sj_include_lua(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        self.sj_lua_allowed(t)?;
        let (name, span, _) = self.file_name(t, rest)?;
        let from = self.includer();
        let source = self.load_source(&name, from.as_deref(), Some(span))?;
        if self.sj_pass() > 1 {
            return Ok(());
        }
        let text = self.sources.get(source).text.clone();
        let from = 0;
        self.sj_run(&Script { source, from, text }, When::Early(1))
    }

    /// Whether a line of a macro begins a script.
    pub(in super::super) fn sj_begins_script(&self, line: &str) -> bool {
        let word = line.split_whitespace().next().unwrap_or("");
        let blank = line.starts_with([' ', '\t']);
        (blank || self.sj_switches().directives_first) && word.eq_ignore_ascii_case("lua")
    }

    fn sj_lua_allowed(&mut self, t: &Tok) -> Outcome<()> {
        self.memo.renew();
        let runs = self.again.runs;
        let scripts = self.sj_scripts();
        if !scripts.allowed {
            let d = Diagnostic::new(codes::BAD_ARGUMENT, "Lua is switched off").at(t.span);
            return Err(Box::new(d.help("`--lua` lets the scripts of a source run")));
        }
        scripts.met = true;
        if self.sj_pass() < LAST {
            // The next pass knows all values of this one.
            self.again.missed_value = true;
        }
        if runs >= LAST {
            let message =
                "scripts run in three passes, but what they asked for is another in the last";
            self.fatal = true;
            let d = Diagnostic::new(codes::CIRCULAR, message).at(t.span);
            return Err(Box::new(d.help("what writes bytes is `lua allpass`")));
        }
        Ok(())
    }

    /// The lines up to `endlua`, which are read as text.
    fn sj_script(&mut self, t: &Tok) -> Outcome<Script> {
        while let Some(f) = self.lines.feeds.last()
            && self.own.get::<State>().rests.contains(&f.number)
            && !self.has_line(self.lines.feeds.len())
        {
            self.pop_feed();
        }
        let unclosed = || {
            let d = Diagnostic::new(codes::UNCLOSED_BLOCK, "this script has no `endlua`");
            Box::new(d.at(t.span))
        };
        match self.lines.feeds.last_mut().map(|f| &mut f.kind) {
            Some(FeedKind::File { source, at }) => {
                let (source, from) = (*source, *at);
                let text = &self.program.sources.get(source).text;
                let (end, behind) = end_of_script(text, from).unwrap_or((text.len(), text.len()));
                *at = behind;
                if end == behind {
                    return Err(unclosed());
                }
                let text = text[from..end].to_owned();
                let from = from as u32;
                Ok(Script { source, from, text })
            }
            Some(FeedKind::Lines { body, next, .. }) => {
                let body = Rc::clone(body);
                let rest = &body.lines[*next..];
                let ends = |&(a, b): &(u32, u32)| {
                    let first = body.toks.get(a as usize).filter(|_| b > a);
                    first.is_some_and(|t| ends_script(self.program.sources.slice(t.span)))
                };
                let Some(n) = rest.iter().position(ends) else {
                    *next = body.lines.len();
                    return Err(unclosed());
                };
                *next += n + 1;
                let end = body.toks[rest[n].0 as usize].span;
                let text = &self.program.sources.get(end.source).text;
                let from = text[t.span.end as usize..].find('\n');
                let from = from.map_or(text.len(), |n| t.span.end as usize + n + 1);
                if end.source != t.span.source || from > end.start as usize {
                    return Err(unclosed());
                }
                let text = text[from..end.start as usize].to_owned();
                let (source, from) = (end.source, from as u32);
                Ok(Script { source, from, text })
            }
            None => Err(unclosed()),
        }
    }

    /// While a block is recorded: the lines of a script as one piece each, as they stand.
    pub(in super::super) fn sj_record_script(&mut self, t: &Tok) -> Outcome<Vec<Option<Tok>>> {
        if !matches!(self.lines.feeds.last(), Some(f) if matches!(f.kind, FeedKind::File { .. })) {
            return Ok(Vec::new());
        }
        let script = self.sj_script(t)?;
        let mut at = script.from;
        let mut out = Vec::new();
        for line in script.text.split_inclusive('\n') {
            let size = line.trim_end().len() as u32;
            out.push((size > 0).then(|| Tok {
                kind: Kind::Bad,
                span: Span::new(script.source, at, at + size),
            }));
            at += line.len() as u32;
        }
        let end = &self.sources.get(script.source).text[at as usize..];
        let word = end.len() - end.trim_start().len();
        let span = Span::new(script.source, at + word as u32, at + word as u32 + 6);
        out.push(Some(Tok {
            kind: Kind::Name,
            span,
        }));
        Ok(out)
    }

    fn sj_run(&mut self, script: &Script, when: When) -> Outcome<()> {
        // An early pass is over when the next begins: what failed in it must be told.
        let early = matches!(when, When::Early(_));
        let statement = self.statement;
        let scripts = self.sj_scripts();
        if scripts.list.len() >= MOST {
            self.fatal = true;
            return Err(self.too_many(MOST, "scripts"));
        }
        if scripts.depth >= DEPTH {
            let d = Diagnostic::new(codes::TOO_DEEP, "scripts run in each other too deeply");
            self.fatal = true;
            return Err(Box::new(d.at(statement)));
        }
        scripts.depth += 1;
        let number = scripts.list.len();
        scripts.list.push((script.source, script.from));
        let engine = match scripts.engine.clone().map_or_else(Engine::new, Ok) {
            Ok(engine) => engine,
            Err(why) => {
                scripts.depth -= 1;
                let d = Diagnostic::new(codes::BAD_ARGUMENT, why).at(statement);
                return Err(Box::new(d));
            }
        };
        scripts.engine = Some(engine.clone());
        let (chunks, items) = (self.chunks.len(), self.sj_items());
        let run = engine.run(number, &script.text, &mut |name, given, place| {
            if let Some(span) = place.and_then(|p| self.sj_line_of(p)) {
                self.statement = span;
            }
            let errors = self.account.findings.errors();
            let done = self.sj_called(name, given, early);
            self.sj_scripts_failed(early, errors);
            match self.fatal {
                true => Err("the assembly ends here".into()),
                false => done,
            }
        });
        self.statement = statement;
        self.sj_scripts().depth -= 1;
        if let Err(Failure { message, place }) = run
            && !self.fatal
        {
            let at = place.and_then(|p| self.sj_line_of(p)).unwrap_or(statement);
            let d = Diagnostic::new(codes::USER_ERROR, format!("Lua: {message}")).at(at);
            let errors = self.account.findings.errors();
            self.report(Box::new(d));
            self.sj_scripts_failed(early, errors);
        }
        let wrote = (chunks, items) != (self.chunks.len(), self.sj_items());
        if wrote && when == When::Last {
            let message = "a script that writes bytes in one pass only moves labels in that alone";
            let d = Diagnostic::new(codes::USER_WARNING, message).at(statement);
            self.report(Box::new(d.help("`lua allpass` writes them in all")));
        }
        Ok(())
    }

    /// Items of the chunk in force.
    fn sj_items(&self) -> usize {
        self.chunks[self.chunk as usize].items.len()
    }

    /// Notes that a script of an early pass made an error, so that there is no next.
    fn sj_scripts_failed(&mut self, early: bool, before: usize) {
        if early && self.account.findings.errors() > before {
            self.sj_scripts().failed = true;
        }
    }

    /// Where a line of a script stands.
    fn sj_line_of(&mut self, (number, line): Place) -> Option<Span> {
        let &(source, from) = self.sj_scripts().list.get(number)?;
        let text = &self.sources.get(source).text[from as usize..];
        let mut at = from;
        for (i, l) in text.split_inclusive('\n').enumerate() {
            if i + 1 == line {
                let blanks = (l.len() - l.trim_start().len()) as u32;
                let span = Span::new(source, at + blanks, at + l.trim_end().len() as u32);
                return Some(self.sources.in_file(span));
            }
            at += l.len() as u32;
        }
        None
    }

    /// Whether a script of an early pass failed: there is no other run, and what is missing
    /// is missing because of that.
    pub(in super::super) fn sj_scripts_stop(&mut self) -> bool {
        let failed = self.sj_scripts().failed;
        if failed {
            self.again.missed_value = false;
            self.again.assumed.clear();
        }
        failed
    }

    /// Whether another pass must follow for the scripts.
    pub(in super::super) fn sj_scripts_unsettled(&mut self) -> bool {
        let pass = self.sj_pass();
        let scripts = self.sj_scripts();
        scripts.met && pass < LAST
    }

    /// Takes the scripts of the run before.
    pub(in super::super) fn sj_carry_scripts(&mut self, before: &mut State) {
        let was = std::mem::take(&mut before.scripts);
        let scripts = self.sj_scripts();
        let allowed = scripts.allowed;
        *scripts = Scripts {
            allowed,
            depth: 0,
            ..was
        };
        if let Some(engine) = &scripts.engine {
            engine.renew();
        }
    }

    /// Behind the last line: labels that only early passes made, and what those said.
    pub(in super::super) fn sj_scripts_end(&mut self) {
        let span = self.statement;
        let scripts = self.sj_scripts();
        let labels = std::mem::take(&mut scripts.labels);
        let said = std::mem::take(&mut scripts.said);
        for (name, value) in labels {
            let id = self.symbols.intern(&name);
            if self.symbols.get(id).meaning == Meaning::Undefined
                && let Err(d) = self.define(id, Meaning::Number(value), span, false)
            {
                self.report(d);
            }
        }
        for d in said {
            self.report(Box::new(d));
        }
        if self.sj_scripts().met {
            self.sj_moved_labels();
        }
    }

    /// Warns of a label that is elsewhere than in the pass before: scripts that do not write
    /// the same in all passes move it, and sjasmplus goes on with where it was.
    fn sj_moved_labels(&mut self) {
        let moved = self.symbols.ids().find_map(|id| {
            let s = self.symbols.get(id);
            let Meaning::Number(now) = s.meaning else {
                return None;
            };
            let was = *self.again.prior_values.get(&s.name)?;
            (s.label && was != now).then(|| (s.name.clone(), s.span, was, now))
        });
        let Some((name, span, was, now)) = moved else {
            return;
        };
        let message = format!("`{name}` is {now}, but was {was} in the pass before");
        let mut d = Diagnostic::new(codes::USER_WARNING, message);
        d.span = span;
        d.help = Some("let the scripts write as many bytes in each pass: `lua allpass`".into());
        self.report(Box::new(d));
    }
}

/// Whether a text begins with `endlua`.
pub fn ends_script(text: &str) -> bool {
    let word = text.trim_start();
    let end = word
        .get(..6)
        .is_some_and(|w| w.eq_ignore_ascii_case("endlua"));
    end && !word[6..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

/// Where the line with `endlua` begins, and where the one behind it does.
fn end_of_script(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        if ends_script(line) {
            return Some((at, at + line.len()));
        }
        at += line.len();
    }
    None
}
