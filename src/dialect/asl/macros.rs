//! Macros: lines that are recorded, and texts made of them. An argument stands for its name
//! wherever that stands alone, within texts too.

use super::lines::MARK;
use super::state::{Arguments, Frame, FrameKind, Macro, Piece, State};
use super::texts;
use crate::diagnostic::{Diagnostic, codes};
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::read::expand::{Body, FeedKind};
use crate::text::lex::{Kind, Tok};
use crate::text::source::Span;
use std::fmt::Write;
use std::rc::Rc;

/// Names in the lines of a macro that are none of its own.
const GIVEN: [&str; 3] = ["argcount", "allargs", "__label__"];

fn part_of_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b >= 0x80
}

/// The options in curly brackets among arguments, and the others.
pub fn options(all: Vec<String>) -> (Vec<String>, Vec<String>) {
    let is = |a: &String| a.len() >= 2 && a.starts_with('{') && a.ends_with('}');
    let (options, rest): (Vec<String>, Vec<String>) = all.into_iter().partition(is);
    let inner = options
        .iter()
        .map(|o| o[1..o.len() - 1].trim().to_ascii_lowercase());
    (inner.collect(), rest)
}

impl Assembler<'_> {
    /// The macro that a token names.
    #[inline]
    pub(super) fn asl_macro(&self, t: &Tok) -> Option<Rc<Macro>> {
        let macros = &self.own.get::<State>().macros;
        if macros.is_empty() || t.kind != Kind::Name {
            return None;
        }
        macros.get(&*self.key(self.sources.slice(t.span))).cloned()
    }

    /// Records lines up to the `endm` of a block.
    pub(super) fn asl_record(&mut self, opener: &Tok) -> Outcome<Body> {
        let mut depth = 0u32;
        let ends = &mut |a: &Self, toks: &[Tok]| {
            match a.asl_head(toks).word {
                Some(w) if w.opens_block() => depth += 1,
                Some(super::words::Word::EndMacro) if depth == 0 => return true,
                Some(super::words::Word::EndMacro) => depth -= 1,
                _ => {}
            }
            false
        };
        self.recorded(opener, "endm", ends)
    }

    /// Recorded lines, cut where something stands for a name.
    pub(super) fn asl_pieces(&self, body: &Body, formals: &[String]) -> Vec<(Vec<Piece>, Span)> {
        let (text, spans) = self.lines_as_text(body);
        let mut names: Vec<&str> = formals.iter().map(String::as_str).collect();
        names.extend(GIVEN);
        let count = formals.len();
        let blind = self.dialect.names.case_blind;
        let lines = text.lines().zip(spans);
        lines
            .map(|(line, span)| {
                let line = line.replace(|c: char| c < ' ' && c != '\t', " ");
                // Most lines are one piece.
                let mut pieces = Vec::with_capacity(1);
                for (text, name) in texts::cut(&line, &names, part_of_name, blind) {
                    if !text.is_empty() {
                        pieces.push(Piece::Text(text));
                    }
                    if let Some(k) = name {
                        pieces.push(match k.checked_sub(count) {
                            None => Piece::Argument(k),
                            Some(0) => Piece::Count,
                            Some(1) => Piece::All,
                            Some(_) => Piece::Label,
                        });
                    }
                }
                (pieces, span)
            })
            .collect()
    }

    /// `name macro a,b=1,{options}`.
    pub(super) fn asl_define_macro(&mut self, name: &Tok, t: &Tok) -> Outcome<()> {
        self.memo.renew();
        let statement = self.statement;
        let (options, parts) = options(self.asl_arguments(t));
        let body = self.asl_record(t)?;
        self.statement = statement;
        let (mut formals, mut defaults) = (Vec::new(), Vec::new());
        for p in parts {
            let (name, default) = match texts::outside(&p, b'=') {
                Some(at) => (p[..at].trim(), p[at + 1..].trim()),
                None => (p.trim(), ""),
            };
            if name.is_empty() || !name.bytes().all(part_of_name) {
                let message = format!("`{name}` is no name of an argument");
                let d = Diagnostic::new(codes::SYNTAX, message).at(statement);
                return Err(Box::new(d.help("it has letters and digits")));
            }
            formals.push(name.to_owned());
            defaults.push(default.to_owned());
            if formals.len() > limits::PARAMETERS {
                return Err(self.too_many(limits::PARAMETERS, "parameters of a macro"));
            }
        }
        let lines = self.asl_pieces(&body, &formals);
        self.room_for_macro(self.own.get::<State>().macros.len())?;
        let has = |o: &str| options.iter().any(|x| x == o);
        let made = Macro {
            name: self.text(name).to_owned(),
            formals,
            defaults,
            lines,
            takes_label: has("intlabel"),
            global: has("globalsymbols"),
            span: name.span,
        };
        let key = self.key(&made.name).into_owned();
        self.own
            .get_mut::<State>()
            .macros
            .insert(key, Rc::new(made));
        Ok(())
    }

    /// Calls a macro; `t` is its name.
    pub(super) fn asl_call(&mut self, m: &Rc<Macro>, t: &Tok, label: String) -> Outcome<()> {
        let blind = self.dialect.names.case_blind;
        let mut given = self.asl_arguments(t);
        if blind {
            given = given.iter().map(|g| texts::upper(g)).collect();
        }
        let all = given.join(",");
        let count = given.len();
        let mut list: Vec<Option<String>> = vec![None; m.formals.len()];
        let mut named = false;
        let fault = |message: String, at: Span| {
            let d = Diagnostic::new(codes::BAD_CALL, message).at(at);
            Err(Box::new(d.related(m.span, "the macro is defined here")))
        };
        for (k, g) in given.into_iter().enumerate() {
            if let Some(at) = texts::free(&g, b'=') {
                let name = g[..at].trim();
                let same = |f: &String| match blind {
                    true => f.eq_ignore_ascii_case(name),
                    false => f == name,
                };
                let Some(k) = m.formals.iter().position(same) else {
                    let message = format!("`{}` has no argument `{name}`", m.name);
                    return fault(message, self.statement);
                };
                if list[k].is_some() {
                    return fault(format!("`{name}` is given twice"), self.statement);
                }
                list[k] = Some(g[at + 1..].trim().to_owned());
                named = true;
            } else if named {
                let message = "an argument without a name stands behind one with a name";
                return fault(message.to_owned(), self.statement);
            } else if k >= m.formals.len() {
                list.push(Some(g));
            } else if !g.is_empty() {
                list[k] = Some(g);
            }
        }
        let list = (list.into_iter().enumerate())
            .map(|(k, g)| g.unwrap_or_else(|| m.defaults.get(k).cloned().unwrap_or_default()))
            .collect();
        let given = Arguments {
            list,
            label,
            all,
            count,
        };
        let (text, lines) = self.asl_filled(&m.lines, &given, m.formals.len())?;
        self.read_text(&m.name, text, &lines)?;
        let handle = (!m.global).then(|| self.asl_handle());
        let depth = self.lines.feeds.len();
        let frames = &mut self.own.get_mut::<State>().frames;
        frames.push(Frame {
            depth,
            handle,
            kind: FrameKind::Call(Rc::clone(m), given),
        });
        Ok(())
    }

    /// A number for the names of a call or round.
    pub(super) fn asl_handle(&mut self) -> u32 {
        let names = &mut self.own.get_mut::<State>().names;
        names.handle += 1;
        names.handle
    }

    /// Lines with arguments, and the mark behind them.
    pub(super) fn asl_filled(
        &mut self,
        pieces: &[(Vec<Piece>, Span)],
        given: &Arguments,
        own: usize,
    ) -> Outcome<(String, Vec<Span>)> {
        let mut text = String::new();
        let mut lines = Vec::with_capacity(pieces.len() + 1);
        for (line, span) in pieces {
            for piece in line {
                match piece {
                    Piece::Text(t) => text.push_str(t),
                    Piece::Argument(k) => {
                        let given = given.list.get(*k).filter(|_| *k < own);
                        text.push_str(given.map_or("", String::as_str));
                    }
                    Piece::Count => {
                        let _ = write!(text, "{}", given.count);
                    }
                    Piece::All => text.push_str(&given.all),
                    Piece::Label => text.push_str(&given.label),
                }
            }
            text.push('\n');
            lines.push(*span);
            if text.len() > limits::TEXT {
                self.emitted_text(text.len())?;
            }
        }
        text.push_str(MARK);
        text.push('\n');
        lines.push(self.statement);
        Ok((text, lines))
    }

    /// Forgets calls and loops whose lines are all read.
    pub(super) fn asl_leave_frames(&mut self) {
        let depth = self.lines.feeds.len();
        let frames = &mut self.own.get_mut::<State>().frames;
        while frames.last().is_some_and(|f| f.depth > depth) {
            frames.pop();
        }
    }

    /// `exitm`: leaves the innermost call or loop.
    pub(super) fn asl_exit(&mut self, t: &Tok) -> Outcome<()> {
        let Some(frame) = self.own.get_mut::<State>().frames.pop() else {
            let d = Diagnostic::new(codes::MISPLACED, "there is no macro to leave").at(t.span);
            return Err(Box::new(d));
        };
        while self.lines.feeds.len() >= frame.depth
            && let Some(open) = self.lines.feeds.last().map(|f| f.conditions)
        {
            self.lines.conditions.truncate(open);
            self.pop_feed();
        }
        Ok(())
    }

    /// `shift`: the first argument is forgotten, in the lines to come.
    pub(super) fn asl_shift(&mut self, t: &Tok) -> Outcome<()> {
        let frames = &mut self.own.get_mut::<State>().frames;
        let call = frames.iter_mut().rev().find_map(|f| match &mut f.kind {
            FrameKind::Call(m, given) => Some((f.depth, Rc::clone(m), given)),
            FrameKind::Loop(_) => None,
        });
        let Some((depth, m, given)) = call else {
            let d = Diagnostic::new(codes::MISPLACED, "there is no macro whose arguments shift");
            return Err(Box::new(d.at(t.span)));
        };
        if !given.list.is_empty() {
            given.list.remove(0);
        }
        given.count = given.list.len();
        given.all = given.list.join(",");
        let given = Arguments {
            list: given.list.clone(),
            label: given.label.clone(),
            all: given.all.clone(),
            count: given.count,
        };
        let Some(FeedKind::File { source, at }) = self.lines.feeds.get(depth - 1).map(|f| &f.kind)
        else {
            return Ok(());
        };
        let read = &self.sources.get(*source).text.as_bytes()[..*at];
        let from = memchr::memchr_iter(b'\n', read).count();
        let rest = m.lines.get(from..).unwrap_or(&[]);
        let (text, lines) = self.asl_filled(rest, &given, m.formals.len())?;
        self.account.spent.expanded += lines.len() as u64;
        self.emitted_text(text.len() + limits::TEXT_A_LINE)?;
        let mut at = 0;
        let mut made = Vec::with_capacity(lines.len());
        for (line, &span) in text.split_inclusive('\n').zip(&lines) {
            made.push((at, span));
            at += line.len() as u32;
        }
        let source = self.sources.add_made_lines(text, made);
        self.lines.feeds[depth - 1].kind = FeedKind::File { source, at: 0 };
        // Lines that are left are counted from here on.
        let frames = &mut self.own.get_mut::<State>().frames;
        if let Some(f) = frames.iter_mut().find(|f| f.depth == depth)
            && let FrameKind::Call(own, _) = &mut f.kind
        {
            let mut left = Macro {
                name: m.name.clone(),
                formals: m.formals.clone(),
                defaults: Vec::new(),
                lines: Vec::new(),
                takes_label: m.takes_label,
                global: m.global,
                span: m.span,
            };
            left.lines = rest
                .iter()
                .map(|(l, s)| (l.iter().map(copy).collect(), *s))
                .collect();
            *own = Rc::new(left);
        }
        Ok(())
    }
}

fn copy(p: &Piece) -> Piece {
    match p {
        Piece::Text(t) => Piece::Text(t.clone()),
        Piece::Argument(k) => Piece::Argument(*k),
        Piece::Count => Piece::Count,
        Piece::All => Piece::All,
        Piece::Label => Piece::Label,
    }
}
