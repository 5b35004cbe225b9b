//! Reading the lines of a test.

use super::step::{Item, Line, Place, Relation, Setting, Step, Time, Unit, Value};
use crate::diagnostic::near::nearest;
use crate::diagnostic::{Diagnostic, codes};
use crate::session::names::number;
use crate::text::source::Span;
use std::ops::Range;

/// Deepest value.
const MOST_DEPTH: usize = 40;
/// Most lines of a test.
const MOST_LINES: usize = 10_000;
/// What a line may begin with.
const WORDS: [&str; 13] = [
    "set", "call", "start", "run", "keys", "press", "release", "type", "pin", "mock", "watch",
    "expect", "snapshot",
];
/// What can be kept as a snapshot; formats of files are named by themselves.
pub const KINDS: [&str; 6] = ["bytes", "listing", "map", "sizes", "screen", "serial"];

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in the script.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What may have been meant.
    pub help: Option<String>,
}

/// What stands in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Number(i64),
    Text(String),
    Mark(&'static str),
}

/// Findings on the lines of a test that stands at a span.
pub fn check(text: &str, span: Span) -> Vec<Diagnostic> {
    let faults = read(text).err().unwrap_or_default();
    let one = |f: Fault| {
        let at = Span::new(
            span.source,
            span.start + f.range.start as u32,
            span.start + f.range.end as u32,
        );
        let d = Diagnostic::new(codes::BAD_TEST, f.message).at(at);
        match f.help {
            Some(help) => d.help(help),
            None => d,
        }
    };
    faults.into_iter().map(one).collect()
}

/// Reads the lines of a test.
///
/// # Errors
/// What is wrong with each line that cannot be read.
pub fn read(text: &str) -> Result<Vec<Line>, Vec<Fault>> {
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    let mut from = 0;
    for raw in text.split_inclusive('\n') {
        let start = from;
        from += raw.len();
        let found = tokens(raw.trim_end_matches(['\n', '\r']), start).and_then(|toks| {
            let (Some(first), Some(last)) = (toks.first(), toks.last()) else {
                return Ok(None);
            };
            let range = first.1.start..last.1.end;
            let mut p = Parser {
                toks: &toks,
                at: 0,
                end: range.end,
            };
            let step = p.step()?;
            p.finish()?;
            Ok(Some(Line { step, range }))
        });
        match found {
            Ok(line) => lines.extend(line),
            Err(fault) => faults.push(fault),
        }
        if lines.len() + faults.len() >= MOST_LINES {
            faults.push(Fault {
                range: start..from,
                message: format!("a test has at most {MOST_LINES} lines"),
                help: None,
            });
            break;
        }
    }
    match faults.is_empty() {
        true => Ok(lines),
        false => Err(faults),
    }
}

const MARKS: [&str; 24] = [
    "!=", "<>", "<=", ">=", "<<", ">>", "==", "=", "<", ">", "(", ")", "[", "]", ",", ":", "+",
    "-", "*", "/", "%", "&", "|", "^",
];

/// The tokens of a line with their bytes in the script.
fn tokens(line: &str, start: usize) -> Result<Vec<(Token, Range<usize>)>, Fault> {
    let mut out: Vec<(Token, Range<usize>)> = Vec::new();
    let mut at = 0;
    let fault = |range: Range<usize>, message: String| Fault {
        range: start + range.start..start + range.end,
        message,
        help: None,
    };
    let part = |c: char| c.is_alphanumeric() || "_.@?'".contains(c);
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        let behind = |w: &str| w.find(|c: char| !part(c)).unwrap_or(w.len());
        let (token, length) = match c {
            ' ' | '\t' => {
                at += 1;
                continue;
            }
            ';' => break,
            '"' | '\'' => {
                let (text, length) = quoted(rest, c).map_err(|why| fault(at..line.len(), why))?;
                (Token::Text(text), length)
            }
            '$' => {
                let length = 1 + behind(&rest[1..]);
                let n = number(&rest[..length]).and_then(|n| i64::try_from(n).ok());
                let n = n.ok_or_else(|| {
                    fault(at..at + length, format!("{} is no number", &rest[..length]))
                })?;
                (Token::Number(n), length)
            }
            c if c.is_ascii_digit() => {
                let length = behind(rest);
                let text = &rest[..length];
                let two = text.strip_prefix("0b").or(text.strip_prefix("0B"));
                let n = match two {
                    Some(digits) => u64::from_str_radix(digits, 2).ok(),
                    None => number(text),
                };
                let n = n.and_then(|n| i64::try_from(n).ok());
                let n = n.ok_or_else(|| fault(at..at + length, format!("{text} is no number")))?;
                (Token::Number(n), length)
            }
            c if c.is_alphabetic() || "_.@?".contains(c) => {
                let length = behind(rest);
                (Token::Word(rest[..length].to_owned()), length)
            }
            '~' => (Token::Mark("~"), 1),
            c => match MARKS.iter().find(|m| rest.starts_with(**m)) {
                Some(mark) => (Token::Mark(mark), mark.len()),
                None => {
                    let text = format!("`{}` stands in no test", crate::diagnostic::text::shown(c));
                    return Err(fault(at..at + c.len_utf8(), text));
                }
            },
        };
        out.push((token, start + at..start + at + length));
        at += length;
    }
    Ok(out)
}

/// A text in quotes, and how long it is with them. A byte is the character of its number.
fn quoted(rest: &str, quote: char) -> Result<(String, usize), String> {
    let mut out = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        out.push(match c {
            c if c == quote => return Ok((out, at + 1)),
            '\\' => match chars.next().map(|c| c.1) {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('e') => '\x1b',
                Some('0') => '\0',
                Some(c @ ('\\' | '"' | '\'')) => c,
                Some('x') => {
                    let digits: String = chars.by_ref().take(2).map(|c| c.1).collect();
                    let byte = u8::from_str_radix(&digits, 16);
                    byte.map_err(|_| format!("\\x{digits} is no byte"))?.into()
                }
                other => {
                    let other = other.map_or(String::new(), String::from);
                    return Err(format!("\\{other} is none of \\n \\r \\t \\e \\0 \\xNN"));
                }
            },
            c => c,
        });
    }
    Err(format!("this text has no closing {quote}"))
}

/// A text of one character.
fn single(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

struct Parser<'a> {
    toks: &'a [(Token, Range<usize>)],
    at: usize,
    /// End of the line, in the script.
    end: usize,
}

type Read<T> = Result<T, Fault>;

impl Parser<'_> {
    fn next(&self) -> Option<&Token> {
        self.toks.get(self.at).map(|t| &t.0)
    }

    fn range(&self) -> Range<usize> {
        let here = self.toks.get(self.at).map(|t| t.1.clone());
        here.unwrap_or(self.end..self.end)
    }

    fn fault<T>(&self, message: impl Into<String>) -> Read<T> {
        Err(Fault {
            range: self.range(),
            message: message.into(),
            help: None,
        })
    }

    fn finish(&self) -> Read<()> {
        match self.next() {
            None => Ok(()),
            Some(_) => self.fault("nothing more is expected here"),
        }
    }

    /// Takes a mark if it is the next.
    fn mark(&mut self, mark: &str) -> bool {
        let is = matches!(self.next(), Some(Token::Mark(m)) if *m == mark);
        self.at += usize::from(is);
        is
    }

    /// Takes a word if it is the next.
    fn word(&mut self, word: &str) -> bool {
        let is = matches!(self.next(), Some(Token::Word(w)) if w.eq_ignore_ascii_case(word));
        self.at += usize::from(is);
        is
    }

    fn any_word(&mut self, what: &str) -> Read<String> {
        match self.next() {
            Some(Token::Word(w)) => {
                let w = w.clone();
                self.at += 1;
                Ok(w)
            }
            _ => self.fault(format!("expected {what}")),
        }
    }

    /// A text of bytes.
    fn bytes(&mut self, what: &str) -> Read<Vec<u8>> {
        let before = self.at;
        let text = self.text(what)?;
        let byte = |c: char| u8::try_from(u32::from(c)).map_err(|_| c);
        text.chars()
            .map(byte)
            .collect::<Result<_, _>>()
            .or_else(|c| {
                self.at = before;
                self.fault(format!("{c} is not a single byte"))
            })
    }

    fn text(&mut self, what: &str) -> Read<String> {
        match self.next() {
            Some(Token::Text(t)) => {
                let t = t.clone();
                self.at += 1;
                Ok(t)
            }
            _ => self.fault(format!("expected {what} in quotes")),
        }
    }

    /// A name in quotes or without.
    fn name(&mut self, what: &str) -> Read<String> {
        match self.next() {
            Some(Token::Text(_)) => self.text(what),
            _ => self.any_word(what),
        }
    }

    fn step(&mut self) -> Read<Step> {
        let word = self.any_word("what is done: set, call, run, expect …")?;
        Ok(match word.to_ascii_lowercase().as_str() {
            "set" => Step::Set(self.settings()?),
            "call" => Step::Call(self.value()?, self.within()?),
            "start" => Step::Start(self.value()?),
            "run" if self.word("until") => Step::Run(Some(self.value()?), self.within()?),
            "run" => Step::Run(None, Some(self.time()?)),
            "keys" => Step::Keys(self.text("a list of keys")?),
            "press" => Step::Key(self.name("a key")?, true),
            "release" => Step::Key(self.name("a key")?, false),
            "type" => Step::Type(self.bytes("what is typed")?),
            "pin" => {
                let pin = self.any_word("a pin")?;
                if !self.mark("=") {
                    return self.fault("expected = and a level, or `= open`");
                }
                let level = if self.word("open") {
                    None
                } else {
                    Some(self.value()?)
                };
                Step::Pin(pin, level)
            }
            "mock" if self.word("port") => {
                let port = self.value()?;
                if !self.mark("=") {
                    return self.fault("expected = and what the port says");
                }
                Step::Port(port, self.items()?)
            }
            "mock" => {
                let at = self.value()?;
                let sets = if self.mark(":") {
                    self.settings()?
                } else {
                    Vec::new()
                };
                Step::Routine(at, sets)
            }
            "watch" if self.word("memory") => Step::Watch,
            "watch" => return self.fault("expected `memory`"),
            "expect" => self.expect()?,
            "snapshot" => Step::Snapshot(self.any_word(&format!("one of {}", KINDS.join(", ")))?),
            wrong => {
                let near = nearest(wrong, WORDS.iter().copied());
                self.at -= 1;
                return Err(Fault {
                    range: self.range(),
                    message: format!("no line of a test begins with `{word}`"),
                    help: Some(match near {
                        Some(near) => format!("is `{near}` meant?"),
                        None => format!("there are {}", WORDS.join(", ")),
                    }),
                });
            }
        })
    }

    fn expect(&mut self) -> Read<Step> {
        let none = self.word("no");
        if self.word("screen") {
            return Ok(Step::Screen(self.text("what is shown")?, !none));
        }
        if self.word("serial") {
            return Ok(Step::Serial(self.bytes("what is sent")?, !none));
        }
        if none {
            return self.fault("expected screen or serial behind `no`");
        }
        if self.word("halted") {
            return Ok(Step::Halted);
        }
        if self.word("clocks") {
            let relation = self.relation()?;
            return Ok(Step::Clocks(relation, self.time()?));
        }
        if self.word("stack") {
            let relation = self.relation()?;
            return Ok(Step::Stack(relation, self.value()?));
        }
        for (word, light) in [("pin", false), ("light", true)] {
            if self.word(word) {
                let name = self.name("its name")?;
                if !self.mark("=") {
                    return self.fault("expected = and a level");
                }
                let level = self.value()?;
                return Ok(match light {
                    true => Step::Light(name, level),
                    false => Step::Level(name, level),
                });
            }
        }
        if self.word("port") {
            let port = self.value()?;
            if !self.mark("=") {
                return self.fault("expected = and what is sent to the port");
            }
            return Ok(Step::Sent(port, self.items()?));
        }
        let place = self.place()?;
        let relation = self.relation()?;
        Ok(Step::Expect(place, relation, self.items()?))
    }

    fn relation(&mut self) -> Read<Relation> {
        let all = [
            ("=", Relation::Equal),
            ("==", Relation::Equal),
            ("!=", Relation::Unequal),
            ("<>", Relation::Unequal),
            ("<=", Relation::AtMost),
            ("<", Relation::Less),
            (">=", Relation::AtLeast),
            (">", Relation::More),
        ];
        for (mark, relation) in all {
            if self.mark(mark) {
                return Ok(relation);
            }
        }
        self.fault("expected = or another relation")
    }

    fn settings(&mut self) -> Read<Vec<Setting>> {
        let mut out = Vec::new();
        loop {
            let place = self.place()?;
            if !self.mark("=") {
                return self.fault("expected = and a value");
            }
            out.push((place, self.items()?));
            if !self.mark(",") {
                return Ok(out);
            }
        }
    }

    fn place(&mut self) -> Read<Place> {
        let width = match () {
            () if self.word("byte") => 1,
            () if self.word("word") => 2,
            () if self.word("long") => 4,
            () => 0,
        };
        if self.mark("[") {
            // `[sram:$60]` names the space.
            let named = matches!(self.toks.get(self.at + 1), Some((Token::Mark(":"), _)));
            let space = match named {
                true => Some(self.any_word("an address space")?),
                false => None,
            };
            self.at += usize::from(named);
            let address = self.value()?;
            if !self.mark("]") {
                return self.fault("expected ]");
            }
            return Ok(Place::Memory(space, address, width.max(1)));
        }
        if width > 0 {
            return self.fault("expected [ and an address");
        }
        Ok(Place::Register(
            self.any_word("a register, a flag or memory in [ ]")?,
        ))
    }

    /// Values up to the end, or up to the next place that gets some.
    fn items(&mut self) -> Read<Vec<Item>> {
        let mut out = Vec::new();
        loop {
            match self.next() {
                Some(Token::Text(t)) if single(t).is_none() => {
                    out.push(Item::Text(self.bytes("a text")?));
                }
                _ => out.push(Item::Value(self.value()?)),
            }
            let behind = (self.toks.get(self.at + 1), self.toks.get(self.at + 2));
            let next_place = matches!(
                behind,
                (Some((Token::Mark("["), _)), _)
                    | (Some((Token::Word(_), _)), Some((Token::Mark("=" | "["), _)))
            );
            if next_place || !self.mark(",") {
                return Ok(out);
            }
        }
    }

    fn within(&mut self) -> Read<Option<Time>> {
        match self.word("within") {
            true => self.time().map(Some),
            false => Ok(None),
        }
    }

    fn time(&mut self) -> Read<Time> {
        let count = self.value()?;
        let units = [
            ("clocks", Unit::Clocks),
            ("clock", Unit::Clocks),
            ("frames", Unit::Frames),
            ("frame", Unit::Frames),
            ("ms", Unit::Milliseconds),
            ("s", Unit::Seconds),
        ];
        for (word, unit) in units {
            if self.word(word) {
                return Ok(Time { count, unit });
            }
        }
        Ok(Time {
            count,
            unit: Unit::Clocks,
        })
    }

    fn value(&mut self) -> Read<Value> {
        self.level(0, 0)
    }

    /// Operators by level, the weakest first.
    fn level(&mut self, level: usize, depth: usize) -> Read<Value> {
        const LEVELS: [&[(&str, char)]; 5] = [
            &[("|", '|')],
            &[("^", '^')],
            &[("&", '&')],
            &[("<<", 'l'), (">>", 'r')],
            &[("+", '+'), ("-", '-')],
        ];
        const PRODUCTS: &[(&str, char)] = &[("*", '*'), ("/", '/'), ("%", '%')];
        if depth > MOST_DEPTH {
            return self.fault("this value is too deep");
        }
        let (marks, last) = match LEVELS.get(level) {
            Some(marks) => (*marks, false),
            None => (PRODUCTS, true),
        };
        let operand = |p: &mut Self| match last {
            true => p.one(depth + 1),
            false => p.level(level + 1, depth),
        };
        let mut left = operand(self)?;
        let mut count = 0;
        while let Some(&(_, op)) = marks.iter().find(|m| self.mark(m.0)) {
            // A long row is deep on its left.
            count += 1;
            if count > MOST_DEPTH {
                return self.fault("this value is too long");
            }
            let right = operand(self)?;
            left = Value::Two(op, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn one(&mut self, depth: usize) -> Read<Value> {
        for op in ['-', '~'] {
            let mut mark = [0; 4];
            if self.mark(op.encode_utf8(&mut mark)) {
                if depth > MOST_DEPTH {
                    return self.fault("this value is too deep");
                }
                return Ok(Value::One(op, Box::new(self.one(depth + 1)?)));
            }
        }
        if self.mark("(") {
            let inner = self.level(0, depth + 1)?;
            return match self.mark(")") {
                true => Ok(inner),
                false => self.fault("expected )"),
            };
        }
        let value = match self.next() {
            Some(Token::Number(n)) => Value::Number(*n),
            Some(Token::Word(w)) => Value::Name(w.clone()),
            Some(Token::Text(t)) if single(t).is_some() => {
                Value::Number(single(t).map_or(0, u32::from).into())
            }
            _ => return self.fault("expected a value"),
        };
        self.at += 1;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Step {
        let lines = read(text).unwrap_or_else(|f| panic!("{text}: {f:?}"));
        assert_eq!(lines.len(), 1, "{text}");
        lines.into_iter().next().expect("a line").step
    }

    #[test]
    fn lines_are_read() {
        let n = Value::Number;
        assert_eq!(
            one("  set a = 5, [table+1] = 1, 2, $ff, f.c = 1 ; and so on"),
            Step::Set(vec![
                (Place::Register("a".into()), vec![Item::Value(n(5))]),
                (
                    Place::Memory(
                        None,
                        Value::Two('+', Box::new(Value::Name("table".into())), Box::new(n(1))),
                        1
                    ),
                    vec![Item::Value(n(1)), Item::Value(n(2)), Item::Value(n(255))]
                ),
                (Place::Register("f.c".into()), vec![Item::Value(n(1))]),
            ])
        );
        assert_eq!(
            one("call add within 2 ms"),
            Step::Call(
                Value::Name("add".into()),
                Some(Time {
                    count: n(2),
                    unit: Unit::Milliseconds
                })
            )
        );
        assert_eq!(
            one("expect word [sram:$60] >= 3"),
            Step::Expect(
                Place::Memory(Some("sram".into()), n(0x60), 2),
                Relation::AtLeast,
                vec![Item::Value(n(3))]
            )
        );
        assert_eq!(
            one("expect no screen \"x\\\"y\""),
            Step::Screen("x\"y".into(), false)
        );
        assert_eq!(one("mock $0807: a = 'A'"), {
            let a = (Place::Register("a".into()), vec![Item::Value(n(65))]);
            Step::Routine(n(0x807), vec![a])
        });
        assert_eq!(one("pin PB0 = open"), Step::Pin("PB0".into(), None));
        assert_eq!(read("; only a comment\n\n").map(|l| l.len()), Ok(0));
    }

    #[test]
    fn what_is_wrong_has_a_place_and_deep_values_end() {
        let fault = |text: &str| read(text).expect_err(text).remove(0);
        let f = fault("set a = 1\nexpct a = 1\n");
        assert_eq!(
            (f.range, f.help.as_deref()),
            (10..15, Some("is `expect` meant?"))
        );
        assert_eq!(fault("expect a").range, 8..8);
        for text in [
            "set a = \"open",
            "set a = ",
            "run",
            "call 12zz",
            "expect port 1",
            "watch out",
            "set a = 1 2",
            "set word a = 1",
            "type \"\\q\"",
            "set a = é€^",
        ] {
            fault(text);
        }
        fault(&format!("set a = {}1", "(".repeat(100_000)));
        fault(&format!("set a = {}1", "-".repeat(100_000)));
        fault(&format!("set a = 1{}", "+1".repeat(100_000)));
    }
}
