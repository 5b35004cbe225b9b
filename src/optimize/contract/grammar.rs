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

/// What to say of the first thing that is wrong.
fn wrong(text: &str, e: &Rich<'_, char>) -> Fault {
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
    expected.sort();
    expected.dedup();
    let begins = text[..from].trim_end().ends_with([',', ':']) || text[..from].trim().is_empty();
    let what = match e.reason() {
        chumsky::error::RichReason::Custom(m) => m.clone(),
        chumsky::error::RichReason::ExpectedFound { .. } if begins => {
            "a clause of a contract is expected here".to_owned()
        }
        chumsky::error::RichReason::ExpectedFound { .. } => {
            format!("expected here is {}", expected.join(" or "))
        }
    };
    let message = match found {
        "" => what,
        f => format!("{what}, not `{f}`"),
    };
    let near = (begins && !found.is_empty()).then(|| nearest(found, WORDS.iter().copied()));
    let help = match near.flatten() {
        Some(n) => Some(format!("is `{n}` meant?")),
        None => begins.then(|| format!("a clause begins with one of {}", WORDS[..15].join(", "))),
    };
    Fault {
        range: from..from + len.max(1).min(text.len().saturating_sub(from)),
        message,
        help,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_read() {
        let c = read(" in a hl, out f.z,clobbers bc , returns").unwrap();
        assert_eq!(c.subject, None);
        let all: Vec<_> = c.clauses.into_iter().map(|c| c.0).collect();
        let list = |l: &[&str]| l.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let wanted = [
            Clause::In(list(&["a", "hl"])),
            Clause::Out(list(&["f.z"])),
            Clause::Clobbers(list(&["bc"])),
            Clause::Returns,
        ];
        assert_eq!(all, wanted);
        let c = read("lib/game.asm:12: number").unwrap();
        assert_eq!(c.subject.as_deref(), Some("lib/game.asm:12"));
        let c = read("$10: inline until $ff").unwrap();
        assert_eq!(c.subject.as_deref(), Some("$10"));
        assert_eq!(c.clauses[0].0, Clause::InlineUntil(255));
        assert_eq!(
            read("timing exact start").unwrap().clauses[0].0,
            Clause::TimingStart
        );
        assert_eq!(
            read("extent last").unwrap().clauses[0].0,
            Clause::Extent(Count::Name("last".into()))
        );
        assert_eq!(
            read("jumptable 12").unwrap().clauses[0].0,
            Clause::Jumptable(Some(12))
        );
    }

    #[test]
    fn faults_have_a_place_and_help() {
        let f = read("in a, clobers bc").unwrap_err();
        assert_eq!(f.range, 6..13);
        assert_eq!(f.help.as_deref(), Some("is `clobbers` meant?"));
        let f = read("inline").unwrap_err();
        assert!(f.message.contains("number"), "{}", f.message);
        let f = read("inline until 256").unwrap_err();
        assert!(f.message.contains("a byte"), "{}", f.message);
        assert!(read("").is_err() && read("in").is_err() && read("timing").is_err());
        assert!(read(&"in a,".repeat(1000)).is_err());
        assert!(read("é: in a").is_ok());
        for n in 0..300u32 {
            // Whatever stands there, it is read or refused.
            let text: String = (0..12)
                .map(|i| char::from_u32(32 + (n * 7 + i * 31) % 400).unwrap_or(','))
                .collect();
            let _ = read(&text);
        }
    }
}
