//! What scripts ask of the assembler.

use super::super::names::begins_name;
use super::super::state::{Define, State};
use super::super::substitute::with_arguments;
use super::talk::{Given, Reply};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::symbol::Meaning;
use crate::program::{Outcome, limits};
use crate::read::Assembler;
use crate::text::lex::Tok;

/// The arguments of a function, by their numbers from 1.
struct Arguments<'g>(&'g str, &'g [Given]);

impl Arguments<'_> {
    fn bad(&self, n: usize, wanted: &str) -> String {
        let got = match self.1.get(n - 1) {
            None => "no value",
            Some(Given::Nil) => "nil",
            Some(Given::Bool(_)) => "boolean",
            Some(Given::Number(_)) => "number",
            Some(Given::Text(_)) => "string",
            Some(Given::Other(name)) => name,
        };
        let name = self.0;
        format!("bad argument #{n} to '{name}' ({wanted} expected, got {got})")
    }

    /// A text, or nothing where it is left out.
    fn text(&self, n: usize) -> Result<Option<String>, String> {
        match self.1.get(n - 1) {
            None | Some(Given::Nil) => Ok(None),
            Some(Given::Text(s)) => Ok(Some(s.clone())),
            Some(Given::Number(v)) => Ok(Some(v.to_string())),
            _ => Err(self.bad(n, "string")),
        }
    }

    /// A whole number.
    fn number(&self, n: usize) -> Result<i64, String> {
        let v = match self.1.get(n - 1) {
            Some(Given::Number(v)) => *v,
            Some(Given::Text(s)) => numeral(s.trim()).ok_or_else(|| self.bad(n, "number"))?,
            _ => return Err(self.bad(n, "number")),
        };
        match v.fract() == 0.0 && v.abs() < 9e15 {
            true => Ok(v as i64),
            false => {
                let name = self.0;
                let why = "number has no integer representation";
                Err(format!("bad argument #{n} to '{name}' ({why})"))
            }
        }
    }

    /// A number that may be left out.
    fn number_or(&self, n: usize, otherwise: i64) -> Result<i64, String> {
        match self.1.get(n - 1) {
            None | Some(Given::Nil) => Ok(otherwise),
            _ => self.number(n),
        }
    }

    fn truth(&self, n: usize) -> bool {
        !matches!(
            self.1.get(n - 1),
            None | Some(Given::Nil | Given::Bool(false))
        )
    }
}

/// A number as Lua writes it.
fn numeral(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text),
    };
    let hex = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    match hex {
        Some(hex) => u64::from_str_radix(hex, 16).ok().map(|n| sign * n as f64),
        None if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            digits.parse::<f64>().ok().map(|n| sign * n)
        }
        None => None,
    }
}

impl Assembler<'_> {
    /// Does what a script asks for; the error is the script's.
    pub(super) fn sj_called(
        &mut self,
        name: &str,
        given: &[Given],
        early: bool,
    ) -> Result<Reply, String> {
        let args = Arguments(name, given);
        let text = |n: usize| match (n, given.len()) {
            (1, 0) => Err(args.bad(1, "string")),
            _ => Ok(args.text(n)?.unwrap_or_default()),
        };
        let line = |a: &mut Self, text: &str| {
            a.sj_run_line(text);
            Ok(Reply::Nil)
        };
        match name {
            "calc" => Ok(Reply::Number(self.sj_calculated(&text(1)?))),
            "parse_line" => line(self, &text(1)?),
            "parse_code" => line(self, &format!(" {}", text(1)?)),
            "add_byte" => line(self, &format!(" @db {}", args.number(1)?)),
            "add_word" => line(self, &format!(" @dw {}", args.number(1)?)),
            "go" => line(self, &format!(" @org {}", args.number(1)?)),
            "set_page" => Ok(self.sj_did(&format!(" @page {}", args.number(1)?))),
            "set_slot" => Ok(self.sj_did(&format!(" @slot {}", args.number(1)?))),
            "set_device" => self.sj_set_device(&args),
            "error" | "warning" | "print" => {
                self.sj_said(name, &args, early)?;
                Ok(Reply::Nil)
            }
            "get_define" => Ok(self.sj_get_define(&text(1)?, args.truth(2))),
            "insert_define" => Ok(self.sj_insert_define(&text(1)?, text(2)?)),
            "get_label" => Ok(Reply::Number(self.sj_get_label(&text(1)?))),
            "insert_label" => {
                let value = args.number(2)?;
                Ok(Reply::Bool(self.sj_insert_label(&text(1)?, value)))
            }
            "get_device" => {
                let device = self.sj_device_name().unwrap_or("NONE");
                Ok(Reply::Text(device.to_owned()))
            }
            "get_modules" => Ok(Reply::Text(self.own.get::<State>().module.clone())),
            "get_page_at" => {
                let at = args.number_or(1, self.sj_current_address())?;
                Ok(Reply::Number(self.sj_page_at(at)))
            }
            "pass" => Ok(Reply::Number(self.sj_pass().into())),
            "current_address" => Ok(Reply::Number(self.sj_current_address())),
            "error_count" => Ok(Reply::Number(self.account.findings.errors() as i64)),
            "warning_count" => Ok(Reply::Number(0)),
            "trdimage_create" | "trdimage_add_file" | "save_snapshot_sna" => {
                let made = file_line(name, &args)?;
                Ok(self.sj_did(&made))
            }
            "get_byte" | "get_word" => {
                let at = args.number(1)?;
                let size = if name == "get_word" { 2 } else { 1 };
                Ok(Reply::Number(self.sj_memory_now(at, size)))
            }
            "exit" => {
                let d = Diagnostic::new(codes::USER_ERROR, "a script ends the assembly");
                self.stop(Box::new(d.at(self.statement)));
                Ok(Reply::Nil)
            }
            "shellexec" => Err("a source starts no program".into()),
            "file_exists" => Err("a script reaches no files".into()),
            _ => Err(format!("`{name}` is not done by scrimp")),
        }
    }

    /// The line that a script assembles, and all lines that it leads to.
    fn sj_run_line(&mut self, text: &str) {
        self.account.spent.expanded += 1;
        if self.account.spent.expanded > limits::LINES {
            let message = "scripts make too many lines";
            let d = Diagnostic::new(codes::ENDLESS_EXPANSION, message).at(self.statement);
            return self.stop(Box::new(d));
        }
        let statement = self.statement;
        let floor = self.lines.feeds.len();
        if let Err(d) = self.sj_assembled(text, floor) {
            self.report(d);
        }
        self.statement = statement;
        self.memo.renew();
        self.mark_here();
    }

    fn sj_assembled(&mut self, text: &str, floor: usize) -> Outcome<()> {
        let line = text.lines().next().unwrap_or("");
        let line = self.sj_with_arguments(line)?;
        // A line of its own, so that what begins it is in column 1.
        let mut toks = self.made_line(&format!("{line}\n"))?;
        if toks.is_empty() {
            return Ok(());
        }
        self.mark_here();
        self.sj_line(&toks)?;
        loop {
            while self.lines.feeds.len() > floor && !self.has_line(self.lines.feeds.len()) {
                self.end_of_feed();
            }
            if self.lines.feeds.len() <= floor || self.fatal || !self.next_line(&mut toks) {
                self.sj_leave_calls();
                return Ok(());
            }
            if toks.is_empty() {
                continue;
            }
            self.statement = match self.lines.line_span.take() {
                Some(span) => span,
                None => self.span_of(&toks),
            };
            if let Err(d) = self.sj_line(&toks) {
                self.report(d);
            }
        }
    }

    /// A text with the arguments of the macro call around in it.
    fn sj_with_arguments(&mut self, text: &str) -> Outcome<String> {
        let call = self.own.get::<State>().calls.last();
        let Some((m, given)) = call.and_then(|c| Some((c.called.as_ref()?, &c.given))) else {
            return Ok(text.to_owned());
        };
        if m.names.list().is_empty() {
            return Ok(text.to_owned());
        }
        let (out, made) = with_arguments(text, &m.names, given);
        self.emitted_text(made)?;
        Ok(out)
    }

    /// Assembles a line; whether there was no error in it.
    fn sj_did(&mut self, text: &str) -> Reply {
        let before = self.account.findings.errors();
        self.sj_run_line(text);
        Reply::Bool(self.account.findings.errors() == before)
    }

    /// The value of an expression; 0 where it has none, which is an error in the last pass.
    fn sj_calculated(&mut self, text: &str) -> i64 {
        if text.trim().is_empty() {
            return 0;
        }
        match self.sj_calculate(text) {
            Ok(n) => n,
            Err(d) => {
                self.report(d);
                0
            }
        }
    }

    fn sj_calculate(&mut self, text: &str) -> Outcome<i64> {
        self.mark_here();
        let text = self.sj_with_arguments(text)?;
        let toks = self.made_line(&format!(" {text}\n"))?;
        let made: Option<Vec<Tok>> = self.sj_replaced(&toks)?;
        let toks = made.unwrap_or(toks);
        let made = self.sj_extremes(&toks)?;
        let toks = made.unwrap_or(toks);
        let v = self.whole_expression(&toks)?;
        if self.sj_pass() < super::scripts::LAST {
            return Ok(self.known_or_assumed(v, None).unwrap_or(0));
        }
        let span = self.statement;
        self.must_know(v, span, "what a script asks for")
    }

    fn sj_current_address(&mut self) -> i64 {
        self.mark_here();
        self.here_value.unwrap_or(0)
    }

    /// What is in the memory of the device; 0 in the passes that write none.
    fn sj_memory_now(&mut self, at: i64, size: i64) -> i64 {
        if self.sj_device_name().is_none() || self.sj_pass() < super::scripts::LAST {
            return 0;
        }
        let bytes = (0..size).map(|i| self.sj_byte_now(at + i) << (8 * i));
        bytes.sum()
    }

    fn sj_set_device(&mut self, args: &Arguments<'_>) -> Result<Reply, String> {
        let device = args.text(1)?.unwrap_or_else(|| "NONE".into());
        let top = args.number_or(2, 0)?;
        Ok(match top {
            0 => self.sj_did(&format!(" @device {device}")),
            top => self.sj_did(&format!(" @device {device}, {top}")),
        })
    }

    /// `sj.error`, `sj.warning`, `print`.
    fn sj_said(&mut self, name: &str, args: &Arguments<'_>, early: bool) -> Result<(), String> {
        let mut parts = Vec::new();
        for n in 1..=args.1.len() {
            let part = args.text(n);
            parts.push(match name {
                "print" => part.unwrap_or_default().unwrap_or_else(|| "nil".into()),
                _ => part?.unwrap_or_default(),
            });
        }
        let code = match name {
            "error" => codes::USER_ERROR,
            "warning" => codes::USER_WARNING,
            _ => codes::USER_NOTE,
        };
        let text = match name {
            "print" => parts.join("\t"),
            _ => {
                parts.truncate(2);
                parts.join(": ")
            }
        };
        let text = if text.is_empty() {
            "no message".to_owned()
        } else {
            text
        };
        let d = Diagnostic::new(code, text).at(self.statement);
        if early && code != codes::USER_ERROR {
            // The next pass begins with no findings.
            self.sj_scripts().said.push(d);
        } else {
            self.report(Box::new(d));
        }
        Ok(())
    }

    fn sj_get_define(&mut self, name: &str, arguments: bool) -> Reply {
        let state = self.own.get::<State>();
        if arguments
            && let Some(c) = state.calls.last()
            && let Some(i) = c.called.as_ref().and_then(|m| m.names.find(name))
        {
            return Reply::Text(c.given[i].clone());
        }
        match state.defines.get(name) {
            Some(Define::Text(text)) => Reply::Text(text.clone()),
            Some(Define::Array(_)) => Reply::Nil,
            None => self.sj_always(name).map_or(Reply::Nil, Reply::Text),
        }
    }

    fn sj_insert_define(&mut self, name: &str, text: String) -> Reply {
        let state = self.own.get_mut::<State>();
        let name = name.trim();
        if !begins_name(name) || state.defines.len() >= limits::DEFINES {
            return Reply::Bool(false);
        }
        state.longest = state.longest.max(name.len());
        let before = state.defines.insert(name.to_owned(), Define::Text(text));
        Reply::Bool(before.is_none())
    }

    /// The value of a label; -1 for what is no name, 0 for one that only later lines define.
    fn sj_get_label(&mut self, name: &str) -> i64 {
        if !begins_name(name) {
            return -1;
        }
        let there = self.symbols.find(name.trim_start_matches('@')).is_some();
        self.mark_here();
        let toks = match self.made_line(&format!(" {name}\n")) {
            Ok(toks) if toks.len() == 1 => toks,
            _ => return -1,
        };
        let value = self.whole_expression(&toks);
        let Ok(value) = value else { return -1 };
        let last = self.sj_pass() == super::scripts::LAST;
        match self.known_or_assumed(value, None) {
            Ok(n) => n,
            Err(_) if there || !last => 0,
            Err(miss) => {
                let d = self.miss(miss, self.statement);
                self.report(Box::new(d));
                0
            }
        }
    }

    fn sj_insert_label(&mut self, name: &str, value: i64) -> bool {
        let value = i64::from(value as i32);
        let span = self.statement;
        if !begins_name(name.strip_prefix('!').unwrap_or(name)) {
            return false;
        }
        let Ok((id, local)) = self.sj_defined(name, span, true) else {
            return false;
        };
        let id = self.symbols.resolve(id);
        if self.symbols.get(id).meaning != Meaning::Undefined {
            return false;
        }
        let made = self.define(id, Meaning::Number(value), span, false);
        self.symbols.get_mut(id).local |= local;
        self.sj_note_page(id, Some(value), None);
        let full = self.symbols.get(id).name.clone();
        let labels = &mut self.sj_scripts().labels;
        labels.retain(|l| l.0 != full);
        if labels.len() < limits::SYMBOLS {
            labels.push((full, value));
        }
        made.is_ok()
    }
}

/// The line that asks for one of the files of `zx`.
fn file_line(name: &str, args: &Arguments<'_>) -> Result<String, String> {
    let quoted = |n: usize| match args.text(n)? {
        Some(s) if !s.contains(['"', '\\', '\n']) => Ok(format!("\"{s}\"")),
        _ => Err(args.bad(n, "name of a file")),
    };
    let file = quoted(1)?;
    Ok(match name {
        "trdimage_create" => match args.text(2)? {
            Some(_) => format!(" @emptytrd {file}, {}", quoted(2)?),
            None => format!(" @emptytrd {file}"),
        },
        "save_snapshot_sna" => format!(" @savesna {file}, {}", args.number(2)?),
        _ => {
            let (start, size) = (args.number(3)?, args.number(4)?);
            let replace = if args.truth(6) { "|" } else { "" };
            let line = match args.number_or(5, -1)? {
                -1 => String::new(),
                line => format!(", {line}"),
            };
            format!(
                " @savetrd {file}, {replace}{}, {start}, {size}{line}",
                quoted(2)?
            )
        }
    })
}
