//! Requests for files: `SAVEBIN`, `SAVESNA`, `SAVETAP`, `SAVENEX` and the like, read here
//! and done in `files` when all values are known.

use super::asks::{ABSENT, Ask};
use super::state::{Of, State};
use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::Op;
use crate::program::plan::Save;
use crate::program::symbol::{ExprId, Meaning};
use crate::program::{Outcome, Value};
use crate::read::Assembler;
use crate::read::syntax::literal::{inside, is_quoted};
use crate::read::syntax::operand::split;
use crate::text::lex::{Kind, Tok};
use std::rc::Rc;

/// What follows the file: texts (`t`) and values (`v`), behind `?` those that may be left
/// out; and how that is said.
fn shape(ask: Ask) -> (&'static str, &'static str) {
    match ask {
        Ask::Bytes => ("v?v", "a file, an address and a length"),
        Ask::Device => ("vvv", "a file, a page, an offset and a length"),
        Ask::Plus3 => (
            "vv?vvv",
            "a file, an address, a length, a type and two values",
        ),
        Ask::Amsdos => ("vv?vv", "a file, an address, a length, a start and a type"),
        Ask::Hex => ("vv?v", "a file, an address, a length and a start"),
        Ask::Hobeta => ("tv?v", "a file, a name, an address and a length"),
        Ask::EmptyDisk => ("?t", "a file and a label"),
        Ask::Disk => (
            "tvv?vv",
            "a file, a name, an address, a length, a line and a length without variables",
        ),
        Ask::Snapshot => ("?v", "a file and a start address"),
        Ask::EmptyTape => ("", "a file"),
        Ask::Tapout => ("?v", "a file and a flag"),
        _ => ("", "a file"),
    }
}

/// Commands of `savenex`, and what follows: a file (`f`), values, and behind `?` what may be
/// left out; `*` is values as many as there are.
const NEXT_COMMANDS: &[(&str, &str)] = &[
    ("open", "f?vvvv"),
    ("core", "vvv"),
    ("cfg", "v?vvv"),
    ("cfg3", "v?vvv"),
    ("bar", "vv?vvv"),
    ("palette none", ""),
    ("palette default", ""),
    ("palette mem", "vv"),
    ("palette bmp", "f"),
    ("screen scr", ""),
    ("screen shc", ""),
    ("screen l2", "?vvvv"),
    ("screen lr", "?vvvv"),
    ("screen l2_320", "?vvvv"),
    ("screen l2_640", "?vvvv"),
    ("screen bmp", "f?vv"),
    ("screen shr", "?v"),
    ("screen tile", "vvvv?v"),
    ("copper", "vv"),
    ("bank", "*"),
    ("auto", "?vv"),
    ("close", "?f"),
];

impl Assembler<'_> {
    /// A request that is as yet empty.
    fn sj_request(&mut self, ask: Ask) -> Outcome<Save> {
        self.sj_may_save()?;
        Ok(Save {
            what: ask as u16,
            texts: Vec::new(),
            values: Vec::new(),
            contents: Vec::new(),
            window: self.sj_window(),
            since: None,
            until: self.here,
            span: self.statement,
            expansion: self.expansion,
        })
    }

    /// The text of a name: between quotes or angle brackets, or as it stands.
    pub(super) fn sj_plain_text(&self, toks: &[Tok]) -> String {
        let text = self.written(toks);
        let text = text.trim();
        let quoted = toks.len() == 1 && is_quoted(&toks[0]) && text.len() > 1;
        let inner = match text.strip_prefix('<').and_then(|t| t.strip_suffix('>')) {
            Some(inner) => inner,
            None if quoted => inside(text),
            None => text,
        };
        inner.trim().to_owned()
    }

    fn sj_expected(&self, t: &Tok, what: &str) -> Box<Diagnostic> {
        let message = format!("expected {what}");
        Box::new(Diagnostic::new(codes::SYNTAX, message).at(t.span))
    }

    /// Reads texts and values as `shape` says.
    fn sj_shaped(
        &mut self,
        save: &mut Save,
        shape: &str,
        parts: &[&[Tok]],
    ) -> Outcome<Result<(), ()>> {
        let least = shape.find('?').unwrap_or(shape.len());
        let kinds: Vec<u8> = shape.bytes().filter(|&b| b != b'?').collect();
        if parts.len() < least || parts.len() > kinds.len() {
            return Ok(Err(()));
        }
        for (i, kind) in kinds.iter().enumerate() {
            match (kind, parts.get(i).filter(|p| !p.is_empty())) {
                (b't', Some(part)) => save.texts.push(self.sj_plain_text(part)),
                (b't', None) => save.texts.push(String::new()),
                (_, Some(part)) => {
                    let v = self.whole_expression(part)?;
                    save.values.push(v);
                }
                (_, None) if i < least => return Ok(Err(())),
                (_, None) => save.values.push(Value::Number(ABSENT)),
            }
        }
        Ok(Ok(()))
    }

    /// A directive that asks for a file.
    pub(super) fn sj_save(&mut self, ask: Ask, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        let parts: Vec<&[Tok]> = split(rest)
            .into_iter()
            .map(|(a, b)| &rest[a as usize..b as usize])
            .collect();
        match ask {
            Ask::Other => return self.sj_left_out(t),
            Ask::Breakpoints | Ask::Breakpoint => return Ok(()),
            Ask::Tapend => return self.sj_tape_end(),
            Ask::Next => return self.sj_next(t, rest),
            Ask::EndOutput => return self.sj_output_end(),
            _ => {}
        }
        let mut save = self.sj_request(ask)?;
        let named = parts.first().filter(|p| !p.is_empty());
        let (form, said) = shape(ask);
        match named {
            Some(name) => save.texts.push(self.sj_plain_text(name)),
            None if ask == Ask::Map => save.texts.push(String::new()),
            None => return Err(self.sj_expected(t, said)),
        }
        let parts = parts.get(1..).unwrap_or(&[]);
        match ask {
            Ask::Output => return self.sj_output(save, parts),
            Ask::Labels | Ask::Map => return self.sj_list_symbols(save, ask, parts),
            Ask::Tape => self.sj_tape(&mut save, t, parts)?,
            _ => {
                if self.sj_shaped(&mut save, form, parts)?.is_err() {
                    return Err(self.sj_expected(t, said));
                }
            }
        }
        if ask == Ask::Tapout {
            self.sj_tape_end()?;
            save.since = Some(self.here);
            self.own.get_mut::<State>().requests.tape = Some((save, t.span));
            return Ok(());
        }
        let device = self.sj_device_name().unwrap_or("").to_owned();
        let needs = !matches!(ask, Ask::EmptyTape | Ask::EmptyDisk | Ask::Bytes);
        if needs && device.is_empty() {
            return Err(self.sj_needs_device(t, "a device"));
        }
        if ask == Ask::Snapshot && !device.starts_with("ZXSPECTRUM")
            || ask == Ask::Tape && { save.texts.len() == 1 && !device.starts_with("ZXSPECTRUM") }
            || ask == Ask::Snapshot && device == "ZXSPECTRUMNEXT"
        {
            return Err(self.sj_needs_device(t, "a device that is a Spectrum"));
        }
        save.texts.push(device);
        let top = self.sj_ramtop().unwrap_or(ABSENT);
        save.values.push(Value::Number(top));
        self.program.asked.saves.list.push(save);
        Ok(())
    }

    fn sj_needs_device(&self, t: &Tok, what: &str) -> Box<Diagnostic> {
        let word = self.sources.slice(t.span);
        let message = format!("`{word}` needs {what}");
        let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
        Box::new(d.help("name it above: `DEVICE ZXSPECTRUM128`"))
    }

    fn sj_left_out(&mut self, t: &Tok) -> Outcome<()> {
        let word = self.text(t).to_owned();
        let message = format!("`{word}` is left out: scrimp does not write that format");
        let d = Diagnostic::new(codes::PEER_CODE, message).at(t.span);
        self.report(Box::new(d));
        Ok(())
    }

    /// `savetap file, start` and `savetap file, KIND, name, start, length, …`.
    fn sj_tape(&mut self, save: &mut Save, t: &Tok, parts: &[&[Tok]]) -> Outcome<()> {
        const KINDS: [&str; 5] = ["basic", "numbers", "chars", "code", "headless"];
        let word = match parts.first() {
            Some([w]) if w.kind == Kind::Name && parts.len() > 1 => self.text(w),
            _ => "",
        };
        let kind = KINDS.iter().position(|k| k.eq_ignore_ascii_case(word));
        let (form, rest) = match kind {
            None => ("?v", parts),
            Some(4) => ("v?vv", &parts[1..]),
            Some(_) => ("tvv?vv", &parts[1..]),
        };
        if let Some(kind) = kind {
            save.texts.push(KINDS[kind].to_owned());
        }
        if self.sj_shaped(save, form, rest)?.is_err() {
            let said = "a file, and an address, or `CODE`, a name, an address and a length";
            return Err(self.sj_expected(t, said));
        }
        if kind == Some(4) {
            save.texts.push(String::new());
        }
        Ok(())
    }

    /// `tapend`, or the end of a block for another reason.
    fn sj_tape_end(&mut self) -> Outcome<()> {
        let Some((mut save, _)) = self.own.get_mut::<State>().requests.tape.take() else {
            return Ok(());
        };
        self.sj_may_save()?;
        (save.what, save.until) = (Ask::Tapend as u16, self.here);
        self.program.asked.saves.list.push(save);
        Ok(())
    }

    /// `output file, mode`.
    fn sj_output(&mut self, mut save: Save, parts: &[&[Tok]]) -> Outcome<()> {
        self.sj_output_end()?;
        let mode = match parts {
            [] => "t".to_owned(),
            [mode, ..] => self.sj_plain_text(mode).to_ascii_lowercase(),
        };
        if !matches!(mode.as_str(), "t" | "r" | "a") {
            let message = "expected `t`, `r` or `a`: a new file, another start, or its end";
            let d = Diagnostic::new(codes::BAD_ARGUMENT, message);
            return Err(Box::new(d.at(self.span_of(parts[0]))));
        }
        save.texts.push(mode);
        save.since = Some(self.here);
        let opened = self.sj_written();
        self.own.get_mut::<State>().requests.output = Some((save, opened));
        Ok(())
    }

    /// `outend`.
    fn sj_output_end(&mut self) -> Outcome<()> {
        let Some((mut save, opened)) = self.own.get_mut::<State>().requests.output.take() else {
            return Ok(());
        };
        self.sj_fill(opened);
        self.sj_may_save()?;
        save.until = self.here;
        self.program.asked.saves.list.push(save);
        Ok(())
    }

    /// `labelslist file, virtual` and `cspectmap file`: done behind the last line.
    fn sj_list_symbols(&mut self, mut save: Save, ask: Ask, parts: &[&[Tok]]) -> Outcome<()> {
        if let Some(part) = parts.first() {
            let (v, span) = (self.whole_expression(part)?, self.span_of(part));
            let n = self.must_know(v, span, "whether addresses are virtual")?;
            save.texts.push(if n == 0 { "" } else { "virtual" }.into());
        } else {
            save.texts.push(String::new());
        }
        if save.texts[0].is_empty() {
            let main = self.sources.get(self.statement.source).name.to_string();
            save.texts[0] = main + ".map";
        }
        let device = self.sj_device_name().unwrap_or("").to_owned();
        save.texts.push(device);
        save.values.push(Value::Number(self.sj_page_size().into()));
        let requests = &mut self.own.get_mut::<State>().requests;
        match ask {
            Ask::Labels => requests.labels = Some(save),
            _ => requests.map = Some(save),
        }
        Ok(())
    }

    /// Behind the last line: what is still open, and lists of symbols.
    pub(super) fn sj_requests_end(&mut self) {
        self.mark_here();
        for done in [self.sj_tape_end(), self.sj_output_end()] {
            if let Err(d) = done {
                self.report(d);
            }
        }
        // Offsets in pages are those of the device that is in force now.
        let (device, size) = match self.sj_device_name() {
            Some(name) => (name.to_owned(), self.sj_page_size()),
            None => (String::new(), 0x4000),
        };
        let requests = &mut self.own.get_mut::<State>().requests;
        if let Some(save) = &mut requests.labels {
            save.texts[2] = device;
            save.values[0] = Value::Number(size.into());
        }
        let lists = [requests.labels.take(), requests.map.take()];
        for save in lists.into_iter().flatten() {
            self.sj_all_symbols(save);
        }
    }

    /// Adds all symbols with their values and pages to a request.
    fn sj_all_symbols(&mut self, mut save: Save) {
        let symbols = &self.program.symbols;
        let defined = |s: &crate::program::symbol::Symbol| s.meaning != Meaning::Undefined;
        let mut ids: Vec<_> = symbols
            .ids()
            .filter(|&i| symbols.resolve(i) == i && defined(symbols.get(i)))
            .filter(|&i| symbols.get(i).span.is_some())
            .collect();
        // Numbers as labels are nobody's business.
        ids.retain(|&i| !symbols.get(i).name.bytes().all(|b| b.is_ascii_digit()));
        ids.sort_by_cached_key(|&i| symbols.get(i).name.clone());
        for id in ids {
            let (name, kind) = {
                let s = self.symbols.get(id);
                let of = self.own.get::<State>().structs.of.get(&id);
                let kind = match (of, s.label, s.variable) {
                    (Some(Of::Definition), ..) => 4,
                    (Some(Of::Data), ..) => 5,
                    (None, true, _) => 0,
                    (None, false, false) => 1,
                    (None, false, true) => 2,
                };
                (s.name.to_string(), kind)
            };
            self.ops.push(Op::Symbol(id));
            let start = self.ops.len() as u32 - 1;
            let page = self
                .sj_page_of(id)
                .unwrap_or_else(|| self.sj_first_page(id));
            save.texts.push(name);
            save.values.push(Value::Expr(ExprId { start, len: 1 }));
            save.values.push(Value::Number(page));
            save.values.push(Value::Number(kind));
        }
        save.until = self.here;
        self.program.asked.saves.list.push(save);
    }

    /// `savenex COMMAND …`.
    fn sj_next(&mut self, t: &Tok, rest: &[Tok]) -> Outcome<()> {
        if self.sj_device_name() != Some("ZXSPECTRUMNEXT") {
            let message = "`SAVENEX` needs `DEVICE ZXSPECTRUMNEXT`";
            let d = Diagnostic::new(codes::MISPLACED, message).at(t.span);
            return Err(Box::new(d));
        }
        let mut save = self.sj_request(Ask::Next)?;
        let word = |i: usize| match rest.get(i) {
            Some(w) if w.kind == Kind::Name => self.sources.slice(w.span).to_ascii_lowercase(),
            _ => String::new(),
        };
        let (mut command, mut used) = (word(0), 1);
        if matches!(command.as_str(), "screen" | "palette") {
            command = format!("{command} {}", word(1));
            used = 2;
        }
        let Some(&(_, form)) = NEXT_COMMANDS.iter().find(|c| c.0 == command) else {
            let at = rest.first().map_or(t.span, |w| w.span);
            let message = "expected a command for the file";
            let d = Diagnostic::new(codes::BAD_ARGUMENT, message).at(at);
            return Err(Box::new(d.note(
                "there are OPEN, CORE, CFG, CFG3, BAR, PALETTE NONE DEFAULT MEM BMP, SCREEN \
                 L2 LR L2_320 L2_640 BMP SCR SHC SHR TILE, COPPER, BANK, AUTO, CLOSE",
            )));
        };
        let rest = rest.get(used..).unwrap_or(&[]);
        let mut parts: Vec<&[Tok]> = match rest.is_empty() {
            true => Vec::new(),
            false => split(rest)
                .into_iter()
                .map(|(a, b)| &rest[a as usize..b as usize])
                .collect(),
        };
        save.texts.push(command.clone());
        let mut form = form.to_owned();
        if form.trim_start_matches('?').starts_with('f') {
            match parts.first().is_some_and(|p| !p.is_empty()) {
                true => self.sj_next_file(&command, &mut save, &mut parts)?,
                false if form.starts_with('?') => {}
                false => return Err(self.sj_expected(t, "the name of a file")),
            }
            form = form.replacen('f', "", 1);
        }
        if form == "*" {
            if parts.is_empty() || parts.len() > 112 {
                return Err(self.sj_expected(t, "numbers of banks"));
            }
            form = "v".repeat(parts.len());
        }
        if self.sj_shaped(&mut save, &form, &parts)?.is_err() {
            let what = format!("the values that `{command}` takes");
            return Err(self.sj_expected(t, &what));
        }
        self.program.asked.saves.list.push(save);
        Ok(())
    }

    /// Takes the name of a file that a command of `savenex` has, and what is in it where
    /// that is loaded; `close` may have several.
    fn sj_next_file(
        &mut self,
        command: &str,
        save: &mut Save,
        parts: &mut Vec<&[Tok]>,
    ) -> Outcome<()> {
        save.texts.push(self.sj_plain_text(parts[0]));
        let count = match command {
            "close" => parts.len(),
            _ => 1,
        };
        let files = parts.drain(..count);
        if matches!(command, "palette bmp" | "screen bmp" | "close") {
            for part in files {
                let bytes = self.sj_content(part)?;
                save.contents.push(bytes);
            }
        }
        Ok(())
    }

    /// The content of a file that goes into another.
    fn sj_content(&mut self, toks: &[Tok]) -> Outcome<Rc<[u8]>> {
        let (name, span) = (self.sj_plain_text(toks), self.span_of(toks));
        Ok(self.content(&name, span)?.into())
    }
}
