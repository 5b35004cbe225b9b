//! Expressions: precedence climbing over tokens, driven by the dialect's
//! operator tables, into postfix operations.
//!
//! This is written by hand because each dialect has its own levels, also for
//! prefix operators, and because the common operand is one token.

use crate::diagnostic::{Diagnostic, codes};
use crate::program::eval::{Known, Op, Real};
use crate::program::exact;
use crate::program::fit::truncated;
use crate::program::limits;
use crate::program::symbol::{ExprId, Meaning, SymbolId};
use crate::program::{Fault, Outcome, Value};
use crate::read::Assembler;
pub use crate::read::syntax::cursor::Cursor;
use crate::read::syntax::literal::{self, BadNumber};
use crate::text::language::{
    BinaryRow, DotRule, JoinedRow, Prefixes, Spelling, Unary, UnaryRow, Width,
};
use crate::text::lex::{AtSign, Kind, Tok};
use crate::text::source::Span;
use scrimp_isa::Machine;

/// What stands between `%` marks for the time of the build, which is fixed.
const TIME: [(&str, &str); 5] = [
    ("YEAR", "2000"),
    ("MONTH", "01"),
    ("DAY", "01"),
    ("HOUR", "00"),
    ("MINUTE", "00"),
];

/// How deep expressions may nest.
pub const MAX_DEPTH: u32 = 256;

fn fault<T>(code: &'static str, message: impl Into<String>, span: Span) -> Outcome<T> {
    Err(Box::new(Diagnostic::new(code, message).at(span)))
}

impl Assembler<'_> {
    /// Parses an expression that is all of `toks`.
    #[inline]
    pub fn whole_expression(&mut self, toks: &[Tok]) -> Outcome<Value> {
        self.noticed.below_zero = false;
        if let [t] = toks {
            let hooks = self.own.hooks;
            if let Some(v) = hooks.single(self, t) {
                return v;
            }
        }
        let mut c = Cursor::new(toks);
        let v = self.expression(&mut c)?;
        match c.peek() {
            None => Ok(v),
            Some(_) => Err(self.leftover(toks, c.at)),
        }
    }

    /// The value of a token that is a number or the name of a symbol, and no more.
    #[inline]
    pub fn plain_single(&mut self, t: &Tok) -> Option<Outcome<Value>> {
        if t.kind == Kind::Number && !self.is_real(t) {
            let n = match self.number(t) {
                Ok(n) => n,
                Err(d) => return Some(Err(d)),
            };
            if self.may_look_negative(n) {
                self.noticed.high.push(t.span);
            }
            return Some(Ok(Value::Number(n)));
        }
        if t.kind == Kind::Name && self.unary_row(t).is_none() {
            return self.name_single(t);
        }
        None
    }

    /// The value of a name that is no operator; `None` where it is the address of the statement.
    pub fn name_single(&mut self, t: &Tok) -> Option<Outcome<Value>> {
        if self.is_here(t) {
            return None;
        }
        let id = match self.symbol_used(t) {
            Ok(id) => id,
            Err(d) => return Some(Err(d)),
        };
        let start = self.ops.len();
        self.push_symbol(id);
        Some(Ok(self.finish(start)))
    }

    /// The value of a symbol.
    ///
    /// # Errors
    /// None.
    pub fn symbol_value(&mut self, id: SymbolId) -> Outcome<Value> {
        let start = self.ops.len();
        self.push_symbol(id);
        Ok(self.finish(start))
    }

    /// Whether a token is an operator before a value.
    #[inline]
    pub fn is_operator(&self, t: &Tok) -> bool {
        self.unary_row(t).is_some()
    }

    /// Parses an expression from the cursor on.
    pub fn expression(&mut self, c: &mut Cursor<'_>) -> Outcome<Value> {
        let start = self.ops.len();
        let from = c.at;
        match self.ternary(c, 0) {
            Ok(()) => {
                let reduced = self.is_reduced(&self.ops[start..]);
                let mut plain = false;
                if self.dialect.values.width == Width::Unsigned16 {
                    let address = &mut |op| match op {
                        Op::Place(p) => self.fixed_value(p),
                        _ => None,
                    };
                    let ops = &self.ops[start..];
                    let below = exact::is_below_zero(ops, self.dialect, address);
                    plain = exact::is_plain_from_zero(ops, self.dialect, address);
                    self.noticed.below_zero = below;
                }
                let v = self.finish(start);
                if let Some(n) = v.number()
                    && plain
                    && self.may_look_negative(n)
                {
                    let span = self.span_of(&c.toks[from..c.at]);
                    self.noticed.high.push(span);
                }
                if let (true, Some(kept)) = (reduced, v.number()) {
                    let used = &c.toks[from..c.at];
                    let span = self.span_of(used);
                    self.cut("the value", kept, span);
                }
                Ok(v)
            }
            Err(d) => {
                self.ops.truncate(start);
                Err(d)
            }
        }
    }

    /// Folds the operations from `start` on if their value is known for good.
    fn finish(&mut self, start: usize) -> Value {
        let ops = &self.ops[start..];
        if let [Op::Number(n)] = ops {
            let n = *n;
            self.ops.truncate(start);
            return Value::Number(n);
        }
        // A later line may define a name in the scope that it is used in.
        let open = |op: &Op| matches!(op, Op::Symbol(id) if self.symbols.is_open(*id));
        if self.dialect.names.nearer && ops.iter().any(open) {
            return Value::Expr(ExprId {
                start: start as u32,
                len: (self.ops.len() - start) as u32,
            });
        }
        match self.now(ops) {
            Ok(Known::Number(n)) => {
                let named = |op: &Op| matches!(op, Op::Symbol(_) | Op::Place(_));
                let len = (self.ops.len() - start) as u32;
                if len > limits::KEPT || !ops.iter().any(named) {
                    self.ops.truncate(start);
                    return Value::Number(n);
                }
                self.account.spent.kept += len as usize;
                let start = start as u32;
                return Value::Known(n, ExprId { start, len });
            }
            Ok(Known::Real(r)) => {
                self.ops.truncate(start);
                self.ops.push(Op::Real(r));
            }
            _ => {}
        }
        Value::Expr(ExprId {
            start: start as u32,
            len: (self.ops.len() - start) as u32,
        })
    }

    pub(crate) fn ternary(&mut self, c: &mut Cursor<'_>, depth: u32) -> Outcome<()> {
        self.climb(c, 0, depth)?;
        if c.kind() == Some(Kind::Question)
            && c.peek().is_some_and(|t| t.span.end - t.span.start == 1)
        {
            let at = c.toks[c.at].span;
            if depth >= MAX_DEPTH {
                return fault(codes::TOO_DEEP, "the expression is nested too deeply", at);
            }
            c.at += 1;
            self.ternary(c, depth + 1)?;
            if !c.eat(Kind::Colon) {
                let span = c.peek().map_or(at, |t| t.span);
                return fault(codes::SYNTAX, "expected `:` of the `?` before", span);
            }
            self.ternary(c, depth + 1)?;
            self.ops.push(Op::Select);
        }
        Ok(())
    }

    fn binary_row(&self, t: &Tok) -> Option<&'static BinaryRow> {
        let table = self.dialect.values.binary;
        if t.kind == Kind::Name {
            let text = self.sources.slice(t.span);
            return table
                .iter()
                .find(|r| matches!(r.spelling, Spelling::Word(w) if w.eq_ignore_ascii_case(text)));
        }
        if matches!(t.kind, Kind::Amp | Kind::Percent) && t.span.end - t.span.start > 1 {
            return None;
        }
        table.iter().find(|r| r.spelling == Spelling::Mark(t.kind))
    }

    /// The operator at the cursor and how many tokens it has.
    #[inline]
    fn binary_at(&self, c: &Cursor<'_>) -> Option<(&'static BinaryRow, usize)> {
        let t = c.peek()?;
        let joined = self.dialect.values.joined;
        if !joined.is_empty()
            && let Some(next) = c.toks.get(c.at + 1)
            && next.span.start == t.span.end
        {
            let second = self.sources.slice(next.span);
            let is =
                |r: &&JoinedRow| r.row.spelling == Spelling::Mark(t.kind) && r.second == second;
            if let Some(r) = joined.iter().find(is) {
                return Some((&r.row, 2));
            }
        }
        self.binary_row(t).map(|row| (row, 1))
    }

    fn unary_row(&self, t: &Tok) -> Option<&'static UnaryRow> {
        let table = self.dialect.values.unary;
        if t.kind == Kind::Name {
            let text = self.sources.slice(t.span);
            return table
                .iter()
                .find(|r| matches!(r.spelling, Spelling::Word(w) if w.eq_ignore_ascii_case(text)));
        }
        table.iter().find(|r| r.spelling == Spelling::Mark(t.kind))
    }

    fn climb(&mut self, c: &mut Cursor<'_>, level: u8, depth: u32) -> Outcome<()> {
        if depth >= MAX_DEPTH {
            let span = c.peek().map_or(self.statement, |t| t.span);
            return fault(
                codes::TOO_DEEP,
                format!("the expression is nested more than {MAX_DEPTH} deep"),
                span,
            );
        }
        if self.dialect.values.prefixes == Prefixes::Divide {
            self.divides(c, level)?;
        }
        self.operand(c, depth)?;
        while let Some((row, tokens)) = self.binary_at(c) {
            if row.level < level {
                break;
            }
            c.at += tokens;
            self.climb(
                c,
                if row.right { row.level } else { row.level + 1 },
                depth + 1,
            )?;
            self.ops.push(Op::Binary(row.op));
        }
        Ok(())
    }

    /// Looks at the sign of an operand that stands behind an operator of a level, where signs
    /// divide.
    pub(crate) fn divides(&self, c: &mut Cursor<'_>, level: u8) -> Outcome<()> {
        let sign = |t: &Tok| matches!(t.kind, Kind::Minus | Kind::Plus);
        let Some(t) = c.peek().filter(|t| sign(t)) else {
            return Ok(());
        };
        if self.unary_row(t).is_some_and(|row| row.level <= level) {
            let title = self.dialect.title;
            let text = format!("{title} takes this sign for an operator with nothing before it");
            let d = Diagnostic::new(codes::BAD_EXPRESSION, text).at(t.span);
            return Err(Box::new(d.help("put the value in parentheses: `(-1)`")));
        }
        if t.kind == Kind::Minus && c.toks.get(c.at + 1).is_some_and(sign) {
            c.at += 1;
        }
        Ok(())
    }

    /// Reads one operand with its prefixes.
    pub(crate) fn operand(&mut self, c: &mut Cursor<'_>, depth: u32) -> Outcome<()> {
        let Some(&t) = c.peek() else {
            let span = c.toks.last().map_or(self.statement, |t| t.span);
            return fault(codes::SYNTAX, "expected a value behind this", span);
        };
        if let Some(row) = self.unary_row(&t) {
            return self.prefixed(c, row, depth);
        }
        c.at += 1;
        let hooks = self.own.hooks;
        if hooks.leaf(self, &t, c, depth)? {
            return Ok(());
        }
        match t.kind {
            Kind::Number if self.is_real(&t) => {
                let text = self.text(&t);
                match text.parse().ok().and_then(|v: f64| Real::new(v).ok()) {
                    Some(r) => self.ops.push(Op::Real(r)),
                    None => return Err(self.bad_number(&t, BadNumber::TooLarge)),
                }
            }
            Kind::Number => {
                let n = self.number(&t)?;
                self.ops.push(Op::Number(n));
            }
            Kind::Name if self.is_here(&t) => self.push_here(),
            Kind::Name | Kind::At | Kind::Question | Kind::AfPrime => {
                if t.kind == Kind::At && self.dialect.lexing.at == AtSign::Base {
                    return self.marked(&t, c);
                }
                if c.kind() == Some(Kind::Open)
                    && !self.dialect.values.functions.is_empty()
                    && self.function(&t, c, depth)?
                {
                    return Ok(());
                }
                let id = self.symbol_used(&t)?;
                self.push_symbol(id);
            }
            Kind::Dollar if t.span.end - t.span.start == 1 => self.push_here(),
            Kind::Percent if let Some(n) = self.time_tag(&t, c) => self.ops.push(Op::Number(n)),
            Kind::Dollar | Kind::Hash | Kind::Percent | Kind::Amp => return self.marked(&t, c),
            Kind::Open => {
                self.ternary(c, depth + 1)?;
                if !c.eat(Kind::Close) {
                    let span = c.peek().map_or(t.span, |t| t.span);
                    return Err(Box::new(
                        Diagnostic::new(codes::SYNTAX, "expected `)`")
                            .at(span)
                            .related(t.span, "opened here"),
                    ));
                }
            }
            Kind::Single | Kind::Double => {
                let codes = self.quoted_codes(&t)?;
                match codes[..] {
                    [b] => {
                        // pasmo sign-extends; elsewhere a character is 0 to 255.
                        let v = if self.dialect.names.dollar_names {
                            i64::from(b as i8)
                        } else {
                            i64::from(b)
                        };
                        let v = self.dialect.values.width.wrap(v);
                        self.ops.push(Op::Number(v));
                    }
                    [a, b]
                        if self.dialect.values.width == crate::text::language::Width::Signed64 =>
                    {
                        self.ops.push(Op::Number(i64::from(a) | i64::from(b) << 8));
                    }
                    _ => {
                        return fault(
                            codes::BAD_EXPRESSION,
                            format!("a text of {} characters is not a value", codes.len()),
                            t.span,
                        );
                    }
                }
            }
            Kind::Bad => return Err(self.bad_token(&t)),
            _ => return Err(self.no_value(c.toks, c.at - 1)),
        }
        Ok(())
    }

    fn prefixed(&mut self, c: &mut Cursor<'_>, row: &'static UnaryRow, depth: u32) -> Outcome<()> {
        if self.dialect.values.prefixes == Prefixes::Run {
            // Signs first, then one complement.
            let (mut minus, mut not) = (false, false);
            while let Some(r) = c.peek().and_then(|t| self.unary_row(t)) {
                match r.op {
                    Unary::Neg => minus = !minus,
                    Unary::Not => not = !not,
                    _ => {}
                }
                c.at += 1;
            }
            self.operand(c, depth + 1)?;
            if minus {
                self.ops.push(Op::Unary(Unary::Neg));
            }
            if not {
                self.ops.push(Op::Unary(Unary::Not));
            }
            return Ok(());
        }
        c.at += 1;
        match row.op {
            Unary::Defined => {
                let open = c.eat(Kind::Open);
                let Some(&t) = c.peek() else {
                    return fault(codes::SYNTAX, "expected a name", self.statement);
                };
                c.at += 1;
                if open && !c.eat(Kind::Close) {
                    return fault(codes::SYNTAX, "expected `)` of `defined(`", t.span);
                }
                let yes = self.is_defined(&t)?;
                self.program.ops.push(Op::Number(if yes {
                    self.program.dialect.values.truth
                } else {
                    0
                }));
            }
            Unary::Nul => {
                let v = if c.done() {
                    self.dialect.values.truth
                } else {
                    0
                };
                c.at = c.toks.len();
                self.ops.push(Op::Number(v));
            }
            op => {
                self.climb(c, row.level, depth + 1)?;
                if op != Unary::Plus {
                    self.ops.push(Op::Unary(op));
                }
            }
        }
        Ok(())
    }

    /// Whether a name has been given a meaning so far: as a symbol, as another name
    /// of a register, or as a macro of a preprocessor that is part of the assembler.
    pub fn is_defined(&mut self, t: &Tok) -> Outcome<bool> {
        if let Some(p) = &self.lines.pre
            && !p.rules().asks.is_empty()
            && p.is_defined(self.sources.slice(t.span))
        {
            return Ok(true);
        }
        let id = self.symbol_named(t)?;
        let symbol = self.symbols.get(self.symbols.resolve(id)).meaning != Meaning::Undefined;
        let key = self.register_key(t);
        Ok(symbol || self.naming.register_names.contains_key(&key))
    }

    /// Whether a number has a fraction or an exponent.
    fn is_real(&self, t: &Tok) -> bool {
        self.dialect.lexing.floats && {
            let text = self.sources.slice(t.span);
            if text.bytes().all(|b| b.is_ascii_digit()) {
                return false;
            }
            let exponent = |b: u8| b.eq_ignore_ascii_case(&b'e');
            text.contains('.')
                || (text.bytes().any(exponent)
                    && text
                        .bytes()
                        .all(|b| b.is_ascii_digit() || exponent(b) || b == b'-' || b == b'+')
                    && text.parse::<f64>().is_ok())
        }
    }

    /// Whether a name stands for the address of the statement.
    #[inline]
    fn is_here(&self, t: &Tok) -> bool {
        let here = self.dialect.values.here;
        !here.is_empty() && self.sources.slice(t.span).eq_ignore_ascii_case(here)
    }

    /// `name(…)`; false if there is no such function.
    fn function(&mut self, t: &Tok, c: &mut Cursor<'_>, depth: u32) -> Outcome<bool> {
        let name = self.text(t).to_ascii_lowercase();
        let Some(&(_, op)) = self.dialect.values.functions.iter().find(|f| f.0 == name) else {
            return Ok(false);
        };
        c.at += 1;
        match op {
            Unary::Sizeof | Unary::Defined => {
                let Some(&n) = c.peek().filter(|n| n.kind == Kind::Name) else {
                    return fault(
                        codes::SYNTAX,
                        format!("expected a name in `{name}()`"),
                        t.span,
                    );
                };
                c.at += 1;
                if op == Unary::Sizeof {
                    let id = self.symbol_used(&n)?;
                    self.ops.push(Op::Sizeof(id));
                } else {
                    let yes = self.is_defined(&n)?;
                    self.ops.push(Op::Number(i64::from(yes)));
                }
            }
            Unary::Strlen => {
                let Some(&s) = c.peek().filter(|s| literal::is_quoted(s)) else {
                    return fault(codes::SYNTAX, "expected a text in `strlen()`", t.span);
                };
                c.at += 1;
                let n = self.quoted_codes(&s)?.len() as i64;
                self.ops.push(Op::Number(n));
            }
            _ => {
                self.ternary(c, depth + 1)?;
                let mut more = 0;
                while name.starts_with('m') && c.eat(Kind::Comma) {
                    self.ternary(c, depth + 1)?;
                    self.ops.push(if name == "min" { Op::Min } else { Op::Max });
                    more += 1;
                }
                if name.starts_with('m') && more == 0 {
                    return fault(
                        codes::SYNTAX,
                        format!("`{name}()` takes two values or more"),
                        t.span,
                    );
                }
                if op != Unary::Plus {
                    self.ops.push(Op::Unary(op));
                }
            }
        }
        if !c.eat(Kind::Close) {
            let span = c.peek().map_or(t.span, |t| t.span);
            return fault(codes::SYNTAX, format!("expected `)` of `{name}(`"), span);
        }
        Ok(true)
    }

    pub(crate) fn push_symbol(&mut self, id: SymbolId) {
        let s = self.symbols.get(id);
        match s.meaning {
            Meaning::Number(n) if s.variable => {
                self.ops.push(Op::Number(n));
                if self.dialect.values.width == Width::Unsigned16 {
                    // Marks that its highest bit may be a sign.
                    self.ops.push(Op::Unary(Unary::Plus));
                }
            }
            // A variable means what it means now.
            Meaning::Expr(e) if s.variable => {
                for i in e.start..e.start + e.len {
                    let op = self.ops[i as usize];
                    self.ops.push(op);
                }
            }
            _ => self.ops.push(Op::Symbol(id)),
        }
    }

    pub(crate) fn push_here(&mut self) {
        let here = match (&self.naming.structure, self.here_value) {
            (Some(_), Some(n)) => Op::Number(n),
            _ => Op::Place(self.here),
        };
        self.ops.push(here);
    }

    /// A number with a mark before it, the last token that was taken.
    fn marked(&mut self, t: &Tok, c: &Cursor<'_>) -> Outcome<()> {
        match literal::marked(self.sources.slice(t.span), t.kind, self.dialect) {
            Some(Ok(n)) if n > 0xffff && self.dialect.values.width == Width::Unsigned16 => {
                Err(self.bad_number(t, BadNumber::TooLarge))
            }
            Some(Ok(n)) => {
                let kept = self.wrap(n);
                if exact::is_cut(n, self.dialect) {
                    self.cut(&format!("`{}`", clip(self.text(t))), kept, t.span);
                }
                self.ops.push(Op::Number(kept));
                Ok(())
            }
            Some(Err(e)) => Err(self.bad_number(t, e)),
            None => Err(self.no_value(c.toks, c.at - 1)),
        }
    }

    /// Value of a number token.
    #[inline]
    pub fn number(&mut self, t: &Tok) -> Outcome<i64> {
        match literal::number(self.sources.slice(t.span), &self.dialect.values.numbers) {
            Ok(n) if n > i64::MAX as u64 => Err(self.bad_number(t, BadNumber::TooLarge)),
            Ok(n) => {
                let kept = self.wrap(n);
                if exact::is_cut(n, self.dialect) {
                    self.cut(&format!("`{}`", clip(self.text(t))), kept, t.span);
                }
                Ok(kept)
            }
            Err(e) => Err(self.bad_number(t, e)),
        }
    }

    /// Whether a value of sixteen bits may be meant as one of a byte below zero.
    fn may_look_negative(&self, n: i64) -> bool {
        self.dialect.values.width == Width::Unsigned16 && (0xff80..=0xffff).contains(&n)
    }

    /// Whether a value that would fit into a byte if it were below zero is not, by the
    /// way it is written.
    pub(crate) fn is_written_high(&self, span: Span) -> bool {
        let inside =
            |h: &Span| h.source == span.source && span.start <= h.start && h.end <= span.end;
        // It is among the last that were read: an instruction has few.
        self.noticed.high.iter().rev().take(4).any(inside)
    }

    /// Warns of a value of which only `kept` is left.
    pub(crate) fn cut(&mut self, what: &str, kept: i64, span: Span) {
        self.report(Box::new(truncated(what, kept, span)));
    }

    /// Whether an expression that is known lost anything.
    fn is_reduced(&self, ops: &[Op]) -> bool {
        ops.len() > 1
            && exact::is_reduced(ops, self.dialect, &mut |op| {
                let one = [op];
                match self.now(&one) {
                    Ok(Known::Number(n)) => Some(n),
                    _ => None,
                }
            })
    }

    pub(crate) fn bad_number(&self, t: &Tok, e: BadNumber) -> Box<Diagnostic> {
        let whole = self.text(t);
        let text = clip(whole);
        Box::new(match e {
            BadNumber::Digit => {
                let d = Diagnostic::new(codes::BAD_NUMBER, format!("`{text}` is not a number"))
                    .at(t.span);
                match self.dialect.number_instead(whole) {
                    Some(help) => d.help(help),
                    None => d.help(format!(
                        "{}; a name starts with a letter",
                        self.dialect.number_forms()
                    )),
                }
            }
            BadNumber::TooLarge => Diagnostic::new(
                codes::BAD_NUMBER,
                format!("the number `{text}` is too large"),
            )
            .at(t.span),
        })
    }

    /// The finding for a token of kind [`Kind::Bad`].
    pub fn bad_token(&self, t: &Tok) -> Box<Diagnostic> {
        let text = self.text(t);
        Box::new(match text.chars().next() {
            Some(q @ ('"' | '\'')) => Diagnostic::new(
                codes::UNTERMINATED_TEXT,
                format!("the text has no closing `{q}`"),
            )
            .at(t.span),
            Some('/') if text.starts_with("//") => {
                let message = "`//` does not begin a comment here";
                let mut span = t.span;
                span.end = span.start + 2;
                Diagnostic::new(codes::BAD_CHARACTER, message)
                    .at(span)
                    .help("a comment begins with `;`")
            }
            Some('/') if text.len() > 1 => {
                Diagnostic::new(codes::UNTERMINATED_TEXT, "the comment has no closing `*/`")
                    .at(Span::new(t.span.source, t.span.start, t.span.start + 2))
            }
            Some(c) => Diagnostic::new(
                codes::BAD_CHARACTER,
                format!("the character {:?} has no meaning here", c),
            )
            .at(t.span),
            None => Diagnostic::new(codes::SYNTAX, "expected more").at(t.span),
        })
    }

    /// The codes of a quoted token: bytes of the source, or mapped.
    pub fn quoted_codes(&mut self, t: &Tok) -> Outcome<Vec<u8>> {
        let latin1 = self.sources.get(t.span.source).latin1;
        let mut chars = literal::unquote(self.sources.slice(t.span), t.kind, self.dialect);
        if self.dialect.values.plain_texts && chars.contains(&'%') {
            chars = self.dated(t, chars);
        }
        // What stands in the text comes from no escape.
        let text = self.sources.slice(t.span);
        let escapes = text.contains('\\');
        let mut written = [false; 0x80];
        for c in text.chars().filter(|_| escapes) {
            if let Some(w) = (c as usize)
                .checked_sub(0x80)
                .and_then(|n| written.get_mut(n))
            {
                *w = true;
            }
        }
        let mapped = self.charmap_of_machine();
        let mut out = Vec::with_capacity(chars.len());
        for c in chars {
            if let Some((map, machine)) = mapped {
                match machine.character(map, c) {
                    Some(b) => out.push(b),
                    None => return Err(no_character(machine, map, c, t.span)),
                }
            } else if latin1 || (c as u32) < 0x80 {
                out.push(c as u8);
            } else if escapes && written.get(c as usize - 0x80) == Some(&false) {
                out.push(c as u8); // from an escape
            } else {
                let mut buffer = [0; 4];
                out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
            }
        }
        Ok(out)
    }

    /// The character map in force, and a machine that has it: the program's own, or one of
    /// the same processor where the dialect knows the map without one.
    fn charmap_of_machine(&self) -> Option<(&str, &dyn Machine)> {
        let map = self.naming.charmap.as_deref()?;
        let others = self.job.target.machines().iter().copied();
        let mut all = self.machine.into_iter().chain(others);
        Some((map, all.find(|m| m.charmaps().contains(&map))?))
    }

    /// The text with what stands for the time of the build put in.
    fn dated(&mut self, t: &Tok, chars: Vec<char>) -> Vec<char> {
        let before: String = chars.iter().collect();
        let mut text = before.clone();
        for (name, value) in TIME {
            text = text.replace(&format!("%{name}%"), value);
        }
        if text == before {
            return chars;
        }
        self.fixed_time(t.span);
        text.chars().collect()
    }

    pub(crate) fn fixed_time(&mut self, span: Span) {
        let text = "the time has a fixed value: the output does not depend on it";
        let d = Diagnostic::new(codes::FIXED_TIME, text)
            .at(span)
            .help("define a name of your own on the command line, -D BUILD=20260131");
        self.report(Box::new(d));
    }

    /// `%YEAR%` as a number, behind its first mark.
    fn time_tag(&mut self, t: &Tok, c: &mut Cursor<'_>) -> Option<i64> {
        let [name, close, ..] = c.toks.get(c.at..)? else {
            return None;
        };
        let text = self.sources.slice(name.span);
        let value = TIME.iter().find(|n| n.0 == text)?.1.parse().ok()?;
        if !self.dialect.values.plain_texts || close.kind != Kind::Percent {
            return None;
        }
        let span = t.span.to(close.span);
        c.at += 2;
        self.fixed_time(span);
        Some(value)
    }

    /// The symbol that a token names, marked as used.
    #[inline]
    pub fn symbol_used(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let id = self.symbol_named(t)?;
        let expansion = self.expansion;
        self.symbols.mark_used(id, t.span, expansion);
        Ok(id)
    }

    /// The symbol that a token names, seen from here.
    pub fn symbol_named(&mut self, t: &Tok) -> Outcome<SymbolId> {
        let text = self.sources.slice(t.span);
        if text.len() > 1024 {
            return fault(codes::TOO_LONG, "a name is longer than 1,024 bytes", t.span);
        }
        if self.symbols.is_full() {
            return Err(self.too_many(limits::SYMBOLS, "symbols, or names too long for so many"));
        }
        let text = self.program.sources.slice(t.span);
        if !matches!(
            t.kind,
            Kind::Name | Kind::At | Kind::Question | Kind::AfPrime
        ) {
            let text = text.to_string();
            return fault(
                codes::SYNTAX,
                format!("expected a name, found `{text}`"),
                t.span,
            );
        }
        if self.dialect.names.dollar_names && text.contains('$') {
            let folded = fold_dollars(text);
            return Ok(self.lookup(&folded));
        }
        let plain = self.dialect.names.dots != DotRule::Underscore || !text.starts_with('_');
        if self.lines.scopes.is_empty()
            && self.naming.prefix.is_empty()
            && !text.starts_with('.')
            && plain
        {
            return Ok(self.program.symbols.intern(text));
        }
        let text = text.to_string();
        Ok(self.lookup(&text))
    }
}

/// The finding for a character that a machine's map does not have.
fn no_character(machine: &dyn Machine, map: &str, c: char, span: Span) -> Fault {
    let has = |c: &char| !c.is_ascii_alphanumeric() && machine.character(map, *c).is_some();
    let signs: String = ('!'..='~').filter(has).collect();
    let d = Diagnostic::new(
        codes::BAD_CHARACTER,
        format!("the character map `{map}` has no {c:?}"),
    )
    .at(span);
    Box::new(match signs.is_empty() {
        true => d,
        false => d.note(format!("of the signs it has {signs}")),
    })
}

/// pasmo's rule: a `$` at position n deletes n characters from position 1.
fn fold_dollars(text: &str) -> String {
    let mut s: Vec<u8> = text.bytes().collect();
    while let Some(n) = s.iter().position(|&b| b == b'$') {
        if n == 0 {
            break;
        }
        let end = (1 + n).min(s.len());
        s.drain(1..end);
    }
    String::from_utf8_lossy(&s).into_owned()
}

/// A text short enough for a message.
pub fn clip(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_string();
    }
    let mut s: String = text.chars().take(MOST).collect();
    s.push('…');
    s
}
