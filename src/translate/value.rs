//! Values: their tokens as a tree by the operators of one dialect, written by those of
//! another. Tokens stay where they are; what must be put around them is kept beside.

use super::text::{File, is_name};
use crate::read::syntax::literal;
use crate::text::language::{Binary, BinaryRow, Dialect, Prefixes, Spelling, Unary};
use crate::text::lex::{self, Kind, Tok};
use crate::text::source::SourceId;

/// Levels of operators are below this.
const TIGHT: u8 = 100;
/// Deepest nesting that is followed.
const DEEPEST: u32 = 100;

/// What becomes of the tokens of a statement.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    /// Before each token.
    pub before: Vec<String>,
    /// Instead of it.
    pub instead: Vec<Option<String>>,
    /// Behind it.
    pub behind: Vec<String>,
    /// Nothing stands between it and the next.
    pub tight: Vec<bool>,
}

impl Edit {
    /// Nothing is changed in so many tokens.
    pub fn new(count: usize) -> Self {
        Self {
            before: vec![String::new(); count],
            instead: vec![None; count],
            behind: vec![String::new(); count],
            tight: vec![false; count],
        }
    }
}

/// A part of a value.
struct Node {
    first: usize,
    last: usize,
    kind: Shape,
}

enum Shape {
    Leaf,
    Group(Box<Node>),
    Unary(Unary, usize, Box<Node>),
    Binary(Binary, usize, Box<Node>, Box<Node>),
    /// A function that is kept, with its arguments.
    Call(usize, Vec<Node>),
}

/// What writes a name in the other dialect.
pub type Naming<'n> = &'n mut dyn FnMut(usize) -> Result<Option<(usize, String)>, String>;

/// Writes values of one dialect in another.
pub struct Values<'a> {
    /// The dialect that is read.
    pub from: &'static Dialect,
    /// The one that is written.
    pub to: &'static Dialect,
    /// The file.
    pub file: &'a File,
    /// The tokens of the line.
    pub toks: &'a [Tok],
    /// What becomes of them.
    pub edit: Edit,
    at: usize,
    end: usize,
}

impl<'a> Values<'a> {
    /// For the tokens of a line.
    pub fn new(
        from: &'static Dialect,
        to: &'static Dialect,
        file: &'a File,
        toks: &'a [Tok],
    ) -> Self {
        Self {
            from,
            to,
            file,
            toks,
            edit: Edit::new(toks.len()),
            at: 0,
            end: 0,
        }
    }

    fn text(&self, i: usize) -> &'a str {
        self.file.of(&self.toks[i])
    }

    /// Writes the value that tokens `from..to` are.
    ///
    /// # Errors
    /// Why the other dialect cannot say it.
    pub fn value(&mut self, from: usize, to: usize, names: Naming<'_>) -> Result<(), String> {
        (self.at, self.end) = (from, to);
        if from >= to {
            return Ok(());
        }
        let node = self.parse(0, 0, names)?;
        if self.at < to {
            return Err(format!("`{}` is not understood", self.text(self.at)));
        }
        self.say(&node, true).map(|_| ())
    }

    /// Writes the leaves of tokens that are no value as a whole.
    ///
    /// # Errors
    /// Why the other dialect cannot say one of them.
    pub fn leaves(&mut self, from: usize, to: usize, names: Naming<'_>) -> Result<(), String> {
        (self.at, self.end) = (from, to);
        while self.at < to {
            let kind = self.toks[self.at].kind;
            let leaf = !matches!(kind, Kind::Star | Kind::Backslash | Kind::Amp)
                || self.text(self.at).len() > 1;
            if !leaf || self.leaf(names).is_err() {
                if let Some((last, text)) = names(self.at)? {
                    self.replace(self.at, last, text);
                    self.at = last;
                }
                self.at += 1;
            }
        }
        Ok(())
    }

    fn replace(&mut self, first: usize, last: usize, text: String) {
        for i in first..last {
            self.edit.instead[i] = Some(String::new());
        }
        self.edit.instead[last] = Some(text);
    }

    fn spelled(&self, s: Spelling, i: usize) -> bool {
        match s {
            Spelling::Mark(kind) => self.toks[i].kind == kind && self.is_mark(i),
            Spelling::Word(w) => {
                self.toks[i].kind == Kind::Name && self.text(i).eq_ignore_ascii_case(w)
            }
        }
    }

    /// Whether a token is its sign only, and no number that begins with it.
    fn is_mark(&self, i: usize) -> bool {
        let sign = matches!(self.toks[i].kind, Kind::Percent | Kind::Amp | Kind::Hash);
        !sign || self.text(i).len() == 1
    }

    fn operator(&self, least: u8) -> Option<&'static BinaryRow> {
        if self.at >= self.end {
            return None;
        }
        let mut rows = self.from.values.binary.iter();
        rows.find(|r| self.spelled(r.spelling, self.at))
            .filter(|r| r.level >= least)
    }

    fn parse(&mut self, least: u8, depth: u32, names: Naming<'_>) -> Result<Node, String> {
        if depth > DEEPEST {
            return Err("the value is nested too deeply".into());
        }
        let mut left = self.prefixed(depth, names)?;
        while let Some(row) = self.operator(least) {
            let at = self.at;
            self.at += 1;
            let level = row.level + u8::from(!row.right);
            let right = self.parse(level, depth + 1, names)?;
            left = Node {
                first: left.first,
                last: right.last,
                kind: Shape::Binary(row.op, at, Box::new(left), Box::new(right)),
            };
        }
        Ok(left)
    }

    fn prefixed(&mut self, depth: u32, names: Naming<'_>) -> Result<Node, String> {
        let at = self.at;
        if at >= self.end {
            return Err("a value is missing".into());
        }
        if depth > DEEPEST {
            return Err("the value is nested too deeply".into());
        }
        let kind = self.toks[at].kind;
        if kind == Kind::Name
            && self.toks[..self.end]
                .get(at + 1)
                .is_some_and(|t| t.kind == Kind::Open)
            && let Some(f) = {
                let mut all = self.from.values.functions.iter();
                all.find(|f| self.text(at).eq_ignore_ascii_case(f.0))
            }
        {
            return self.call(f.1, depth, names);
        }
        let mut rows = self.from.values.unary.iter();
        if let Some(row) = rows.find(|r| self.spelled(r.spelling, at)) {
            self.at += 1;
            let inner = self.parse(row.level, depth + 1, names)?;
            return Ok(Node {
                first: at,
                last: inner.last,
                kind: Shape::Unary(row.op, at, Box::new(inner)),
            });
        }
        if matches!(kind, Kind::Open | Kind::SquareOpen) {
            self.at += 1;
            let inner = self.parse(0, depth + 1, names)?;
            let close = self.toks[..self.end].get(self.at).map(|t| t.kind);
            if !matches!(close, Some(Kind::Close | Kind::SquareClose)) {
                return Err("a bracket is not closed".into());
            }
            self.at += 1;
            return Ok(Node {
                first: at,
                last: self.at - 1,
                kind: Shape::Group(Box::new(inner)),
            });
        }
        self.leaf(names)
    }

    fn call(&mut self, op: Unary, depth: u32, names: Naming<'_>) -> Result<Node, String> {
        let at = self.at;
        self.at += 2;
        let mut args = Vec::new();
        loop {
            args.push(self.parse(0, depth + 1, names)?);
            let kind = self.toks[..self.end].get(self.at).map(|t| t.kind);
            self.at += 1;
            match kind {
                Some(Kind::Comma) => {}
                Some(Kind::Close) => break,
                _ => return Err("a bracket is not closed".into()),
            }
        }
        let last = self.at - 1;
        let one = args.len() == 1;
        let kind = match args.pop() {
            Some(inner) if one => {
                let group = Node {
                    first: at + 1,
                    last,
                    kind: Shape::Group(Box::new(inner)),
                };
                Shape::Unary(op, at, Box::new(group))
            }
            inner => {
                args.extend(inner);
                Shape::Call(at, args)
            }
        };
        Ok(Node {
            first: at,
            last,
            kind,
        })
    }

    /// A name, number or text; its tokens are written at once.
    fn leaf(&mut self, names: Naming<'_>) -> Result<Node, String> {
        let at = self.at;
        let t = self.toks[at];
        let long = t.span.end - t.span.start > 1;
        if let Some((last, text)) = names(at)? {
            self.replace(at, last, text);
            self.at = last + 1;
            return Ok(Node {
                first: at,
                last,
                kind: Shape::Leaf,
            });
        }
        let new = match t.kind {
            Kind::Number => self.number(at)?,
            Kind::Dollar | Kind::Hash | Kind::Percent | Kind::Amp | Kind::At if long => {
                self.number(at)?
            }
            Kind::Dollar | Kind::Star => self.here()?,
            Kind::Single | Kind::Double => self.character(at)?,
            Kind::AfPrime => None,
            Kind::Name if self.text(at).eq_ignore_ascii_case(self.from.values.here) => {
                self.here()?
            }
            _ if is_name(&t) => None,
            _ => return Err(format!("`{}` is not understood", self.text(at))),
        };
        if new.is_some() {
            self.edit.instead[at] = new;
        }
        self.at += 1;
        Ok(Node {
            first: at,
            last: at,
            kind: Shape::Leaf,
        })
    }

    fn here(&self) -> Result<Option<String>, String> {
        let here = self.to.values.here;
        // The sign that most have.
        let text = if here.len() > 1 { here } else { "$" };
        Ok(Some(text.to_owned()))
    }

    /// A number as the other dialect writes it; nothing where it writes it the same.
    fn number(&self, at: usize) -> Result<Option<String>, String> {
        let text = self.text(at);
        let Some(value) = reads(self.from, text) else {
            return Err(format!("`{text}` is no number that others have"));
        };
        if reads(self.to, text) == Some(value) {
            return Ok(None);
        }
        let (digits, base) = digits(text, value);
        let found = self.to.number(&digits, base);
        let found = found.or_else(|| self.to.number(&value.to_string(), 10));
        found
            .map(Some)
            .ok_or_else(|| format!("`{text}` cannot be written"))
    }

    /// A text that stands for a number.
    fn character(&self, at: usize) -> Result<Option<String>, String> {
        let t = &self.toks[at];
        let chars = literal::unquote(self.text(at), t.kind, self.from);
        if let Some(text) = quoted(self.to, &chars, self.text(at)) {
            return Ok((text != self.text(at)).then_some(text));
        }
        match chars[..] {
            [c] if (c as u32) < 256 => {
                let n = u32::from(c).to_string();
                Ok(self.to.number(&n, 10))
            }
            _ => Err(format!("{} cannot be written", self.text(at))),
        }
    }

    /// An item of a list of bytes that is a text.
    ///
    /// # Errors
    /// A character that is no byte.
    pub fn item(&mut self, at: usize) -> Result<(), String> {
        let t = &self.toks[at];
        let chars = literal::unquote(self.text(at), t.kind, self.from);
        if let Some(text) = quoted(self.to, &chars, self.text(at)) {
            if text != self.text(at) {
                self.edit.instead[at] = Some(text);
            }
            return Ok(());
        }
        let mut parts: Vec<String> = Vec::new();
        let mut run: Vec<char> = Vec::new();
        for &c in &chars {
            let alone = quoted(self.to, &[c], "").is_none();
            if alone && !run.is_empty() {
                let text = std::mem::take(&mut run);
                parts.push(quoted(self.to, &text, "").ok_or("a text cannot be written")?);
            }
            match alone {
                false => run.push(c),
                true if (c as u32) < 256 => parts.push(u32::from(c).to_string()),
                true => return Err(format!("{} cannot be written", self.text(at))),
            }
        }
        if !run.is_empty() {
            parts.push(quoted(self.to, &run, "").ok_or("a text cannot be written")?);
        }
        self.edit.instead[at] = Some(parts.join(","));
        Ok(())
    }

    /// Writes a part; how tight it binds in the other dialect.
    fn say(&mut self, n: &Node, root: bool) -> Result<u8, String> {
        match &n.kind {
            Shape::Leaf => Ok(TIGHT),
            Shape::Group(inner) => {
                self.say(inner, true)?;
                if self.toks[n.first].kind == Kind::SquareOpen {
                    self.edit.instead[n.first] = Some("(".into());
                    self.edit.instead[n.last] = Some(")".into());
                }
                Ok(TIGHT)
            }
            Shape::Call(at, args) => {
                let name = self.text(*at);
                let mut all = self.to.values.functions.iter();
                if !all.any(|f| f.0.eq_ignore_ascii_case(name)) {
                    return Err(format!("there is no `{name}`"));
                }
                for a in args {
                    self.say(a, true)?;
                }
                Ok(TIGHT)
            }
            Shape::Unary(op, at, inner) => self.unary(*op, *at, inner, root),
            Shape::Binary(op, at, left, right) => {
                let spelled = |r: &&BinaryRow| self.spelled(r.spelling, *at);
                let rows = || self.to.values.binary.iter().filter(|r| r.op == *op);
                let row = rows().find(spelled).or_else(|| rows().next());
                let Some(row) = row else {
                    return Err(format!("there is no operator `{}`", self.text(*at)));
                };
                if !self.spelled(row.spelling, *at) {
                    self.edit.instead[*at] = Some(mark(row.spelling).to_owned());
                }
                let (low, high) = (row.level, row.level + 1);
                self.operand(left, if row.right { high } else { low })?;
                self.operand(right, if row.right { low } else { high })?;
                Ok(row.level)
            }
        }
    }

    /// Writes an operand that must bind as tight.
    fn operand(&mut self, n: &Node, least: u8) -> Result<(), String> {
        let level = self.say(n, false)?;
        if level < least {
            self.edit.before[n.first].insert(0, '(');
            self.edit.behind[n.last].push(')');
        }
        Ok(())
    }

    fn unary(&mut self, op: Unary, at: usize, inner: &Node, root: bool) -> Result<u8, String> {
        let rows = || self.to.values.unary.iter().filter(|r| r.op == op);
        let same = rows().find(|r| self.spelled(r.spelling, at));
        if let Some(row) = same.or_else(|| rows().next()) {
            if same.is_none() {
                let mut text = mark(row.spelling).to_owned();
                if matches!(row.spelling, Spelling::Word(_)) {
                    text.push(' ');
                }
                self.edit.instead[at] = Some(text);
            }
            // Where signs divide, one that binds as tight as its place is put in parentheses.
            let divides = self.to.values.prefixes == Prefixes::Divide
                && matches!(op, Unary::Neg | Unary::Plus);
            self.operand(inner, row.level + u8::from(divides))?;
            return Ok(row.level - u8::from(divides));
        }
        let mut functions = self.to.values.functions.iter();
        if op != Unary::Plus
            && let Some(f) = functions.find(|f| f.1 == op)
        {
            self.edit.instead[at] = Some(f.0.to_owned());
            self.edit.tight[at] = true;
            self.say(inner, true)?;
            if !matches!(inner.kind, Shape::Group(_)) {
                self.edit.before[inner.first].insert(0, '(');
                self.edit.behind[inner.last].push(')');
            }
            return Ok(TIGHT);
        }
        let (tail, level) = match op {
            Unary::Plus => ("", TIGHT),
            Unary::Low => (" & 255", 0),
            Unary::High => (" >> 8 & 255", 0),
            Unary::LogicNot => (" = 0", 0),
            _ => return Err(format!("there is no operator `{}`", self.text(at))),
        };
        self.edit.instead[at] = Some(String::new());
        self.edit.tight[at] = true;
        self.say(inner, true)?;
        let group = matches!(inner.kind, Shape::Group(_));
        let (open, close) = if group { ("", "") } else { ("(", ")") };
        let outer = level == 0 && !root;
        let (open, close) = match outer {
            true => (format!("({open}"), format!("{close}{tail})")),
            false => (open.to_owned(), format!("{close}{tail}")),
        };
        self.edit.before[inner.first].insert_str(0, &open);
        self.edit.behind[inner.last].push_str(&close);
        Ok(TIGHT)
    }
}

/// An operator as it is written.
fn mark(s: Spelling) -> &'static str {
    match s {
        Spelling::Word(w) => w,
        Spelling::Mark(kind) => match kind {
            Kind::OrOr => "||",
            Kind::AndAnd => "&&",
            Kind::Pipe => "|",
            Kind::Caret => "^",
            Kind::Amp => "&",
            Kind::EqualEqual => "==",
            Kind::Equal => "=",
            Kind::NotEqual => "!=",
            Kind::Less => "<",
            Kind::LessEqual => "<=",
            Kind::Greater => ">",
            Kind::GreaterEqual => ">=",
            Kind::ShiftLeft => "<<",
            Kind::ShiftRight => ">>",
            Kind::Plus => "+",
            Kind::Minus => "-",
            Kind::Star => "*",
            Kind::Slash => "/",
            Kind::Percent => "%",
            Kind::Tilde => "~",
            Kind::Bang => "!",
            _ => "",
        },
    }
}

/// The one token that a text is.
pub fn token(d: &Dialect, text: &str) -> Option<Tok> {
    let mut toks = Vec::new();
    lex::line(text, 0, SourceId(0), d.lexing, &mut toks);
    match toks[..] {
        [t] if t.span.end as usize == text.len() => Some(t),
        _ => None,
    }
}

/// The value of a text that is one number.
pub fn reads(d: &Dialect, text: &str) -> Option<u64> {
    let t = token(d, text)?;
    match t.kind {
        Kind::Number => literal::number(text, &d.values.numbers).ok(),
        kind => literal::marked(text, kind, d)?.ok(),
    }
}

/// Digits and base of a number as it is written.
fn digits(text: &str, value: u64) -> (String, u32) {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.starts_with(['$', '#', '&']) && !lower.starts_with("&b")
        || lower.starts_with("0x")
        || lower.ends_with('h');
    let binary = lower.starts_with('%') || lower.starts_with("0b") || lower.ends_with('b');
    if hexadecimal {
        let width = text.chars().filter(char::is_ascii_hexdigit).count();
        let width = if width > 4 {
            width
        } else {
            2 * width.div_ceil(2)
        };
        let upper = !text.chars().any(|c| matches!(c, 'a'..='f'));
        let width = width.min(16);
        let text = match upper {
            true => format!("{value:0width$X}"),
            false => format!("{value:0width$x}"),
        };
        return (text, 16);
    }
    match binary {
        true => {
            let width = text.chars().filter(|c| matches!(c, '0' | '1')).count();
            let width = width.min(64);
            (format!("{value:0width$b}"), 2)
        }
        false => (value.to_string(), 10),
    }
}

/// A text of these characters in quotes that the dialect reads so; that of `like` if it
/// does.
pub fn quoted(d: &Dialect, chars: &[char], like: &str) -> Option<String> {
    let plain: String = chars.iter().collect();
    if plain.contains(['\n', '\r']) {
        return None;
    }
    let all = [
        like.to_owned(),
        format!("\"{plain}\""),
        format!("'{plain}'"),
    ];
    all.into_iter().find(|text| {
        let t = token(d, text).filter(literal::is_quoted);
        t.is_some_and(|t| literal::unquote(text, t.kind, d) == chars)
    })
}
