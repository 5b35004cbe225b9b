//! The grammar of contracts: clauses with commas between, perhaps with what they are about
//! and a colon before them.

use crate::diagnostic::near::nearest;
use chumsky::prelude::*;
use std::ops::Range;

/// Most bytes of a contract.
const LONGEST: usize = 2000;
/// All words that a clause may begin with.
pub const WORDS: [&str; 16] = [
    "in",
    "out",
    "clobbers",
    "preserves",
    "returns",
    "entry",
    "inline",
    "jumptable",
    "extent",
    "keep",
    "timing",
    "selfmod",
    "number",
    "numbers",
    "closed",
    "no-opt",
];

/// How far something reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// So much.
    Number(u32),
    /// Up to a label.
    Name(String),
}

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `in a hl`.
    In(Vec<String>),
    /// `out f.z`.
    Out(Vec<String>),
    /// `clobbers bc`.
    Clobbers(Vec<String>),
    /// `preserves de`.
    Preserves(Vec<String>),
    /// `returns`.
    Returns,
    /// `entry`.
    Entry,
    /// `inline 2`.
    Inline(u32),
    /// `inline until 0`.
    InlineUntil(u8),
    /// `jumptable`, `jumptable 8`.
    Jumptable(Option<u32>),
    /// `extent 12`, `extent end_of_it`.
    Extent(Count),
    /// `keep`.
    Keep,
    /// `timing exact`.
    Timing,
    /// `timing exact start`.
    TimingStart,
    /// `timing exact end`.
    TimingEnd,
    /// `selfmod`.
    Selfmod,
    /// `number`.
    Number,
    /// `numbers`.
    Numbers,
    /// `closed`.
    Closed,
}

/// A contract: what it is about, if it says that, and its clauses with their texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// A name, an address, or `program`.
    pub subject: Option<String>,
    /// The clauses.
    pub clauses: Vec<(Clause, Range<usize>)>,
}

/// What is wrong with a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in its text.
    pub range: Range<usize>,
    /// What was expected.
    pub message: String,
    /// What may have been meant.
    pub help: Option<String>,
}

type Failure<'t> = extra::Err<Rich<'t, char>>;

fn word<'t>() -> impl Parser<'t, &'t str, &'t str, Failure<'t>> + Clone {
    any()
        .filter(|c: &char| c.is_alphanumeric() || "_.'@$%&?#\\~-".contains(*c))
        .repeated()
        .at_least(1)
        .to_slice()
        .padded()
        .labelled("a word")
}

fn number<'t>() -> impl Parser<'t, &'t str, u32, Failure<'t>> + Clone {
    word()
        .try_map(|w: &str, span| {
            number_of(w).ok_or_else(|| Rich::custom(span, "a number is expected here"))
        })
        .labelled("a number")
}

/// `12`, `$0c`, `0x0c`, `0ch`.
pub fn number_of(text: &str) -> Option<u32> {
    let hex = text
        .strip_prefix('$')
        .or_else(|| text.strip_prefix("0x"))
        .or_else(|| text.strip_prefix('#'));
    let tail = || {
        let digits = text.strip_suffix(['h', 'H'])?;
        digits
            .starts_with(|c: char| c.is_ascii_digit())
            .then_some(digits)
    };
    match (hex, tail()) {
        (Some(h), _) | (None, Some(h)) => u32::from_str_radix(h, 16).ok(),
        (None, None) => text.parse().ok(),
    }
}

fn clause<'t>() -> impl Parser<'t, &'t str, (Clause, Range<usize>), Failure<'t>> {
    let kw = |w: &'static str| {
        word()
            .filter(move |x: &&str| x.eq_ignore_ascii_case(w))
            .labelled(w)
    };
    let places = || {
        word()
            .map(str::to_owned)
            .repeated()
            .at_least(1)
            .collect::<Vec<String>>()
    };
    let count = number()
        .map(Count::Number)
        .or(word().map(|w| Count::Name(w.to_owned())));
    let inline = kw("inline").ignore_then(choice((
        kw("until").ignore_then(number()).try_map(|n, span| {
            let byte = u8::try_from(n);
            byte.map(Clause::InlineUntil)
                .map_err(|_| Rich::custom(span, "a byte is expected here"))
        }),
        number().map(Clause::Inline),
    )));
    let timing = kw("timing").ignore_then(kw("exact")).ignore_then(
        choice((
            kw("start").to(Clause::TimingStart),
            kw("end").to(Clause::TimingEnd),
        ))
        .or_not(),
    );
    choice((
        kw("in").ignore_then(places()).map(Clause::In),
        kw("out").ignore_then(places()).map(Clause::Out),
        kw("clobbers").ignore_then(places()).map(Clause::Clobbers),
        kw("preserves").ignore_then(places()).map(Clause::Preserves),
        kw("returns").to(Clause::Returns),
        kw("entry").to(Clause::Entry),
        inline,
        kw("jumptable")
            .ignore_then(number().or_not())
            .map(Clause::Jumptable),
        kw("extent").ignore_then(count).map(Clause::Extent),
        kw("keep").to(Clause::Keep),
        timing.map(|t| t.unwrap_or(Clause::Timing)),
        kw("selfmod").to(Clause::Selfmod),
        kw("number").to(Clause::Number),
        kw("numbers").to(Clause::Numbers),
        kw("closed").to(Clause::Closed),
    ))
    .map_with(|c, e| {
        let span: SimpleSpan = e.span();
        (c, span.into_range())
    })
}

/// Reads a contract.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &str) -> Result<Contract, Fault> {
    let fault = |range: Range<usize>, message: &str, help| {
        Err(Fault {
            range,
            message: message.to_owned(),
            help,
        })
    };
    if text.len() > LONGEST {
        let message = format!("a contract has at most {LONGEST} bytes");
        return fault(0..text.len().min(80), &message, None);
    }
    if text.trim().is_empty() {
        let message = "a clause of a contract is expected here";
        return fault(0..text.len(), message, None);
    }
    let line = just(':').then(text::digits(10)).or_not();
    let file = any()
        .filter(|c: &char| c.is_alphanumeric() || "_.'@$%&?#\\~-/".contains(*c))
        .repeated()
        .at_least(1);
    let subject = file
        .then(line)
        .to_slice()
        .padded()
        .then_ignore(just(':').padded())
        .or_not();
    let all = clause()
        .separated_by(just(',').padded())
        .at_least(1)
        .collect::<Vec<_>>();
    let whole = subject.then(all).then_ignore(end());
    let found = whole.parse(text).into_result();
    found
        .map(|(subject, clauses)| Contract {
            subject: subject.map(str::to_owned),
            clauses,
        })
        .map_err(|errors| wrong(text, &errors[0]))
}

/// A clause that begins with no word of a clause.
fn stray(text: &str) -> Option<Fault> {
    let mut from = text.rfind(':').map_or(0, |i| i + 1);
    for part in text[from..].split(',') {
        let start = from + part.len() - part.trim_start().len();
        from += part.len() + 1;
        let word = part.split_whitespace().next().unwrap_or("");
        if WORDS[..15].iter().any(|w| w.eq_ignore_ascii_case(word)) {
            match miscounted(part) {
                Some((at, len, message)) => {
                    let start = from - part.len() - 1 + at;
                    return Some(Fault {
                        range: start..start + len,
                        message,
                        help: None,
                    });
                }
                None => continue,
            }
        }
        let help = match nearest(word, WORDS.iter().copied()) {
            Some(n) => format!("is `{n}` meant?"),
            None => format!("a clause begins with one of {}", WORDS[..15].join(", ")),
        };
        let found = match word {
            "" => String::new(),
            w => format!(", not `{w}`"),
        };
        return Some(Fault {
            range: start..start + word.len(),
            message: format!("a clause of a contract is expected here{found}"),
            help: Some(help),
        });
    }
    None
}

/// Where a clause has no number where there should be one: its start and length in the
/// clause, and what to say.
fn miscounted(part: &str) -> Option<(usize, usize, String)> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let is = |n: usize, w: &str| words.get(n).is_some_and(|x| x.eq_ignore_ascii_case(w));
    if !is(0, "inline") {
        return None;
    }
    let until = is(1, "until");
    let n = words.get(if until { 2 } else { 1 }).copied().unwrap_or("");
    let fits = number_of(n).is_some_and(|v| !until || v < 256);
    if fits {
        return None;
    }
    let what = if until {
        "a byte"
    } else {
        "a number, or `until` and a byte,"
    };
    let found = match n {
        "" => String::new(),
        n => format!(", not `{n}`"),
    };
    let at = match n {
        "" => part.trim_end().len(),
        n => part.rfind(n).unwrap_or(0),
    };
    Some((at, n.len(), format!("{what} is expected here{found}")))
}

/// What to say of the first thing that is wrong.
fn wrong(text: &str, e: &Rich<'_, char>) -> Fault {
    if let Some(fault) = stray(text) {
        return fault;
    }
    let at = e.span().start.min(text.len());
    // The whole word that stands there, or where one is missing.
    let inside = |c: char| c.is_alphanumeric() || "_.'-$".contains(c);
    let before = text[..at].char_indices().rev();
    let from = match text[at..].starts_with(inside) {
        true => before
            .take_while(|c| inside(c.1))
            .last()
            .map_or(at, |c| c.0),
        false => at,
    };
    let len = text[from..]
        .find(|c| !inside(c))
        .unwrap_or(text.len() - from);
    let found = &text[from..from + len];
    let mut expected: Vec<String> = e.expected().map(|x| x.to_string()).collect();
    expected.retain(|x| x != "':'" && x != "any");
    expected.sort();
    expected.dedup();
    let what = match e.reason() {
        chumsky::error::RichReason::Custom(m) => m.clone(),
        chumsky::error::RichReason::ExpectedFound { .. } if expected.is_empty() => {
            "a word is expected here".to_owned()
        }
        chumsky::error::RichReason::ExpectedFound { .. } => {
            format!("expected here is {}", expected.join(" or "))
        }
    };
    let message = match found {
        "" => what,
        f => format!("{what}, not `{f}`"),
    };
    Fault {
        range: from..from + len,
        message,
        help: None,
    }
}
