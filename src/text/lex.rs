//! Tokens, and nothing else. One lexer serves all dialects: mnemonics,
//! directives and registers are plain names that are looked up later. What
//! differs (comment marks, quotes, letters of names, number signs) is in
//! [`Lexing`].

use crate::text::comments::{Continued, EndSign, Slashes, nested_end};
use crate::text::quotes::{Doubled, character, characters, quoted};
use crate::text::source::{SourceId, Span};
use logos::{Lexer, Logos, Skip};

/// What the lexer knows of the token before.
#[derive(Clone, Copy, Debug, Default)]
pub struct After {
    /// It ended an operand.
    pub operand: bool,
    /// It was a name.
    pub name: bool,
}

/// What `@` before digits is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtSign {
    /// A mark.
    #[default]
    Mark,
    /// It begins a number of a base given by the first digit.
    Base,
    /// It takes the one digit behind it: `@0` is an argument.
    Argument,
}

/// What `$`, `#`, `%` and a single quote are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signs {
    /// As the other settings say.
    #[default]
    Usual,
    /// As GNU as reads: `#` at the start of a line is a comment and so is `/* */`,
    /// `$` separates statements, `'c` needs no second quote.
    Gnu,
    /// As usual, and `#` at the start of a line is a comment and so is `/* */`.
    Hashed,
    /// As usual, but `'c` needs no second quote, nor do two characters behind `"`, and `%`
    /// starts no number.
    Ticks,
    /// `$` may begin a name, `'` right behind a name stands for nothing (`hl'`), and `%`
    /// starts no number.
    Loose,
    /// As usual, but `&` starts a number only where a value may stand.
    Placed,
}

/// What a dialect sets for the lexer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lexing {
    /// What `//` and `/* */` are.
    pub slashes: Slashes,
    /// Characters beside letters, digits, `_` and `.` that a name may have.
    pub name_more: &'static str,
    /// `?` and `@` may start a name.
    pub name_start_more: bool,
    /// Backslash escapes inside `'…'`.
    pub escapes_single: bool,
    /// Quotes in a row inside `'…'`.
    pub doubled_single: Doubled,
    /// A doubled quote inside `"…"` is one quote.
    pub doubled_double: bool,
    /// `&` before a hexadecimal digit is a number.
    pub amp_digits: bool,
    /// `&H`, `&O`, `&X`, `&B` before a digit start a number.
    pub amp_letters: bool,
    /// `#` before a hexadecimal digit is a number.
    pub hash_hex: bool,
    /// `%` before a binary digit is a number even behind an operand.
    pub percent_always: bool,
    /// What `@` before digits is.
    pub at: AtSign,
    /// A backslash at the end of a line joins the next one.
    pub continued: Continued,
    /// A backslash in `"…"` stands for itself.
    pub raw_texts: bool,
    /// `$` may stand between the digits of a number.
    pub dollar_digits: bool,
    /// A backslash in `"…"` stands for itself, and a dot at the end of a name for
    /// nothing.
    pub plain_texts: bool,
    /// `1.5` and `2e-3` are numbers.
    pub floats: bool,
    /// `'` may stand between the digits of a number.
    pub digit_ticks: bool,
    /// Whose rules hold for `$`, `#`, `%` and a single quote.
    pub signs: Signs,
    /// What the sign means that ends texts of CP/M, `^Z`.
    pub end_sign: EndSign,
    /// The last token.
    pub after: After,
}

impl Lexing {
    /// `;` starts a comment, and marks are what they look like.
    pub const PLAIN: Self = Self {
        slashes: Slashes::Signs,
        name_more: "",
        name_start_more: false,
        escapes_single: false,
        doubled_single: Doubled::No,
        doubled_double: false,
        amp_digits: false,
        amp_letters: false,
        hash_hex: false,
        percent_always: false,
        at: AtSign::Mark,
        continued: Continued::Nothing,
        raw_texts: false,
        dollar_digits: false,
        plain_texts: false,
        floats: false,
        digit_ticks: false,
        signs: Signs::Usual,
        end_sign: EndSign::Unknown,
        after: After {
            operand: false,
            name: false,
        },
    };
}

/// Kinds of token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(extras = Lexing)]
#[logos(skip r"[ \t\r\x0b\x0c]+")]
#[repr(u8)]
pub enum Kind {
    /// End of a line.
    #[token("\n")]
    Newline,
    /// A comment; never comes out.
    #[token("\x1a", end_sign)]
    #[token(";", comment)]
    #[token("//", slash_comment)]
    #[token("/*", block_comment)]
    Comment,
    /// `label`, `ld`, `.loop`.
    #[regex(r"[A-Za-z_.][A-Za-z0-9_.]*", name)]
    #[regex(r"[^\x00-\x7f]+", name)]
    Name,
    /// `af'`.
    #[token("af'", ignore(case))]
    AfPrime,
    /// Starts with a digit.
    #[regex(r"[0-9][0-9A-Za-z_$]*", number)]
    Number,
    /// `$`, or `$1F`.
    #[token("$", dollar)]
    Dollar,
    /// `#`, or `#1F`.
    #[token("#", hash)]
    Hash,
    /// `##`.
    #[token("##")]
    Paste,
    /// `&`, or `&1F`, `&H1F`.
    #[token("&", amp)]
    Amp,
    /// `%`, or `%101`.
    #[token("%", percent)]
    Percent,
    /// `@`, or a name or number that starts with it.
    #[token("@", at)]
    At,
    /// `?`, or a name that starts with it.
    #[token("?", question)]
    Question,
    /// `'text'`.
    #[token("'", single)]
    Single,
    /// `"text"`.
    #[token("\"", double)]
    Double,
    /// `,`
    #[token(",")]
    Comma,
    /// `:`
    #[token(":")]
    Colon,
    /// `(`
    #[token("(")]
    Open,
    /// `)`
    #[token(")")]
    Close,
    /// `[`
    #[token("[")]
    SquareOpen,
    /// `]`
    #[token("]")]
    SquareClose,
    /// `{`
    #[token("{")]
    CurlyOpen,
    /// `}`
    #[token("}")]
    CurlyClose,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`
    #[token("/")]
    Slash,
    /// `^`
    #[token("^")]
    Caret,
    /// `|`
    #[token("|")]
    Pipe,
    /// `~`
    #[token("~")]
    Tilde,
    /// `!`
    #[token("!")]
    Bang,
    /// `<`
    #[token("<")]
    Less,
    /// `>`
    #[token(">")]
    Greater,
    /// `=`
    #[token("=")]
    Equal,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
    /// `==`
    #[token("==")]
    EqualEqual,
    /// `!=` or `<>`
    #[token("!=")]
    #[token("<>")]
    NotEqual,
    /// `<<`
    #[token("<<")]
    ShiftLeft,
    /// `>>`
    #[token(">>")]
    ShiftRight,
    /// `&&`
    #[token("&&")]
    AndAnd,
    /// `||`
    #[token("||")]
    OrOr,
    /// `:=`
    #[token(":=")]
    ColonEqual,
    /// `\`
    #[token("\\")]
    Backslash,
    /// No token of any dialect, or a text without its closing quote.
    Bad,
}

/// A token: a kind and a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tok {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
}

fn to_line_end(lex: &mut Lexer<'_, Kind>) {
    let rest = lex.remainder().as_bytes();
    lex.bump(lex.extras.continued.comment_end(rest, 0));
}

fn comment(lex: &mut Lexer<'_, Kind>) -> Skip {
    to_line_end(lex);
    Skip
}

fn end_sign(lex: &mut Lexer<'_, Kind>) -> Result<Skip, ()> {
    match lex.extras.end_sign {
        EndSign::Unknown => return Err(()),
        EndSign::Blank => {}
        EndSign::End => lex.bump(lex.remainder().len()),
    }
    Ok(Skip)
}

fn slash_comment(lex: &mut Lexer<'_, Kind>) -> Result<Skip, ()> {
    if lex.extras.slashes != Slashes::Signs {
        to_line_end(lex);
        Ok(Skip)
    } else {
        Err(())
    }
}

fn block_comment(lex: &mut Lexer<'_, Kind>) -> Result<Skip, ()> {
    if lex.extras.slashes == Slashes::Signs
        && !matches!(lex.extras.signs, Signs::Gnu | Signs::Hashed)
    {
        return Err(());
    }
    let rest = lex.remainder().as_bytes();
    let end = match lex.extras.slashes {
        Slashes::Nested => nested_end(rest),
        _ => memchr::memmem::find(rest, b"*/"),
    };
    match end {
        Some(n) => {
            lex.bump(n + 2);
            Ok(Skip)
        }
        None => {
            lex.bump(lex.remainder().len());
            Err(())
        }
    }
}

fn bump_while(lex: &mut Lexer<'_, Kind>, test: impl Fn(u8) -> bool) -> usize {
    let n = lex.remainder().bytes().take_while(|&b| test(b)).count();
    lex.bump(n);
    n
}

fn is_name(b: u8, more: &str) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || b >= 0x80 || more.as_bytes().contains(&b)
}

#[inline]
fn name(lex: &mut Lexer<'_, Kind>) {
    let next = lex.remainder().as_bytes().first().copied().unwrap_or(b'\n');
    // What usually follows a name is in no dialect part of it.
    if next <= b' ' || matches!(next, b',' | b':' | b')') {
        return;
    }
    let more = lex.extras.name_more;
    if next >= 0x80 || more.as_bytes().contains(&next) {
        bump_while(lex, |b| is_name(b, more));
    }
}

fn hex_digits(lex: &mut Lexer<'_, Kind>) {
    let dollar = lex.extras.dollar_digits;
    bump_while(lex, |b| {
        b.is_ascii_hexdigit() || b == if dollar { b'$' } else { b'_' }
    });
    if lex.extras.digit_ticks {
        ticks(lex);
    }
}

/// Groups of digits behind `'`.
fn ticks(lex: &mut Lexer<'_, Kind>) {
    while let [b'\'', digit, ..] = lex.remainder().as_bytes()
        && digit.is_ascii_alphanumeric()
    {
        lex.bump(1);
        bump_while(lex, |b| b.is_ascii_alphanumeric() || b == b'_');
    }
}

fn dollar(lex: &mut Lexer<'_, Kind>) {
    if lex.extras.signs == Signs::Loose {
        let more = lex.extras.name_more;
        bump_while(lex, |b| is_name(b, more));
        return;
    }
    if lex
        .remainder()
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_hexdigit())
    {
        hex_digits(lex);
    }
}

fn hash(lex: &mut Lexer<'_, Kind>) {
    if lex.extras.hash_hex
        && lex
            .remainder()
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_hexdigit())
    {
        hex_digits(lex);
    }
}

fn amp(lex: &mut Lexer<'_, Kind>) {
    let rest = lex.remainder().as_bytes();
    let first = rest.first().copied().unwrap_or(0);
    let second = rest.get(1).copied().unwrap_or(0);
    let base = match first.to_ascii_lowercase() {
        b'h' => 16,
        b'o' => 8,
        b'x' | b'b' => 2,
        _ => 0,
    };
    if lex.extras.signs == Signs::Placed && !value_stands(lex) {
        return;
    }
    let letter = lex.extras.amp_letters
        && base > 0
        && (second as char).is_digit(base)
        && !(first.eq_ignore_ascii_case(&b'b') && lex.extras.amp_digits);
    if letter || (lex.extras.amp_digits && first.is_ascii_hexdigit()) {
        bump_while(lex, |b| b.is_ascii_alphanumeric());
    }
}

/// Whether a mark stands where a value may: `db %101` has a name before it as `size %10`
/// has; the blank decides.
fn value_stands(lex: &Lexer<'_, Kind>) -> bool {
    let after = lex.extras.after;
    let start = lex.span().start;
    let blank = start > 0 && matches!(lex.source().as_bytes()[start - 1], b' ' | b'\t');
    !after.operand || after.name && blank
}

fn percent(lex: &mut Lexer<'_, Kind>) {
    let x = lex.extras;
    if x.plain_texts {
        return;
    }
    if matches!(x.signs, Signs::Gnu | Signs::Loose | Signs::Ticks) {
        return;
    }
    if (x.percent_always || value_stands(lex))
        && lex
            .remainder()
            .bytes()
            .next()
            .is_some_and(|b| b == b'0' || b == b'1')
    {
        bump_while(lex, |b| matches!(b, b'0' | b'1' | b'_' | b'$'));
        if x.digit_ticks {
            ticks(lex);
        }
    }
}

/// The rest of a number with a point or an exponent with a sign.
#[inline]
fn number(lex: &mut Lexer<'_, Kind>) {
    if lex.extras.floats {
        fraction(lex);
    }
    if lex.extras.digit_ticks {
        ticks(lex);
    }
}

fn fraction(lex: &mut Lexer<'_, Kind>) {
    let digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
    let decimal = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if decimal(lex.slice())
        && lex.remainder().starts_with('.')
        && digit(lex.remainder().as_bytes().get(1))
    {
        lex.bump(1);
        bump_while(lex, |b| b.is_ascii_digit());
        let rest = lex.remainder().as_bytes();
        let exponent = rest.first().is_some_and(|b| b.eq_ignore_ascii_case(&b'e'));
        let sign = usize::from(matches!(rest.get(1), Some(b'+' | b'-')));
        if exponent && digit(rest.get(1 + sign)) {
            lex.bump(1 + sign);
            bump_while(lex, |b| b.is_ascii_digit());
        }
        return;
    }
    if let Some(whole) = lex.slice().strip_suffix(['e', 'E'])
        && decimal(whole)
        && lex.remainder().starts_with(['+', '-'])
        && digit(lex.remainder().as_bytes().get(1))
    {
        lex.bump(1);
        bump_while(lex, |b| b.is_ascii_digit());
    }
}

fn at(lex: &mut Lexer<'_, Kind>) {
    if lex.extras.at == AtSign::Argument {
        if lex.remainder().starts_with(|c: char| c.is_ascii_digit()) {
            lex.bump(1);
        }
    } else if lex.extras.at == AtSign::Base {
        bump_while(lex, |b| b.is_ascii_alphanumeric());
    } else if lex.extras.name_start_more {
        let more = lex.extras.name_more;
        bump_while(lex, |b| is_name(b, more));
    }
}

fn question(lex: &mut Lexer<'_, Kind>) {
    if lex.extras.name_start_more {
        let more = lex.extras.name_more;
        bump_while(lex, |b| is_name(b, more));
    }
}

fn single(lex: &mut Lexer<'_, Kind>) -> Result<(), ()> {
    let x = lex.extras;
    if matches!(x.signs, Signs::Gnu | Signs::Ticks) {
        let n = match x.signs {
            Signs::Gnu => character(lex.remainder()),
            _ => characters(lex.remainder(), 1, b'\''),
        };
        lex.bump(n.ok_or(())?);
        return Ok(());
    }
    if x.signs == Signs::Loose && x.after.name {
        let start = lex.span().start;
        let before = lex.source().as_bytes()[..start].last().copied();
        if before.is_some_and(|b| is_name(b, x.name_more)) {
            return Ok(());
        }
    }
    let rest = lex.remainder().as_bytes();
    if x.plain_texts && rest.starts_with(b"''") || x.doubled_single.is_lone(rest) {
        // A quote as a character.
        lex.bump(2);
        return Ok(());
    }
    text(lex, b'\'', x.escapes_single, x.doubled_single.is_one())
}

fn double(lex: &mut Lexer<'_, Kind>) -> Result<(), ()> {
    let doubled = lex.extras.doubled_double;
    let escapes = !lex.extras.plain_texts && !lex.extras.raw_texts;
    if lex.extras.signs == Signs::Ticks {
        let rest = lex.remainder();
        // No further than to what comes first: a row of quotes is long.
        let stop = memchr::memchr2(b'"', b'\n', rest.as_bytes());
        let line = &rest[..stop.unwrap_or(rest.len())];
        let before = lex.source().as_bytes()[..lex.span().start].trim_ascii_end();
        if before.ends_with(b"#") || rest.as_bytes().get(line.len()) != Some(&b'"') {
            let two = characters(rest, 2, b'"').unwrap_or(line.len());
            lex.bump(two);
            return Ok(());
        }
    }
    text(lex, b'"', escapes, doubled)
}

fn text(lex: &mut Lexer<'_, Kind>, quote: u8, escapes: bool, doubled: bool) -> Result<(), ()> {
    let (n, is_closed) = quoted(lex.remainder().as_bytes(), quote, escapes, doubled);
    lex.bump(n);
    is_closed.then_some(()).ok_or(())
}

/// Most tokens of a line; the rest of a longer one is left out, and whoever reads it
/// reports that.
pub const MAX_TOKENS: usize = 1 << 18;

/// Reads the tokens of one line from byte `at` of `text` into `out` (without
/// the newline) and returns where the next line starts, or `None` at the end.
/// A block comment joins lines.
pub fn line(
    text: &str,
    at: usize,
    source: SourceId,
    lexing: Lexing,
    out: &mut Vec<Tok>,
) -> Option<usize> {
    if at >= text.len() {
        return None;
    }
    let (from, ended) = plain(text.as_bytes(), at, source, &lexing, out);
    if ended {
        return Some(from);
    }
    Some(line_from(text, (at, from), source, lexing, out))
}

/// Whether an operand may end with a token of so many bytes: a sign behind it is one of
/// calculation.
#[inline]
fn ends_operand(kind: Kind, len: usize) -> bool {
    matches!(
        kind,
        Kind::Name
            | Kind::Number
            | Kind::Dollar
            | Kind::Close
            | Kind::Single
            | Kind::Double
            | Kind::SquareClose
    ) || len > 1 && matches!(kind, Kind::Hash | Kind::Percent | Kind::Amp)
}

/// Reads on from a byte of the line that starts at another.
fn line_from(
    text: &str,
    (at, from): (usize, usize),
    source: SourceId,
    lexing: Lexing,
    out: &mut Vec<Tok>,
) -> usize {
    let mut lex = Kind::lexer_with_extras(&text[at..], lexing);
    lex.bump(from - at);
    if let Some(last) = out.last().filter(|_| from > at) {
        lex.extras.after.name = last.kind == Kind::Name;
        lex.extras.after.operand = matches!(last.kind, Kind::Name | Kind::Number | Kind::Close);
    }
    loop {
        let Some(kind) = lex.next() else {
            return text.len();
        };
        let mut r = lex.span();
        let kind = kind.unwrap_or(Kind::Bad);
        if kind == Kind::Newline {
            return at + r.end;
        }
        let mut kind = kind;
        if lexing.signs == Signs::Loose && kind == Kind::Single && r.len() == 1 {
            continue;
        }
        if lexing.signs == Signs::Loose && kind == Kind::Dollar && r.len() > 1 {
            let digits = &text.as_bytes()[at + r.start + 1..at + r.end];
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                kind = Kind::Name;
            }
        }
        if lexing.signs == Signs::Ticks && kind == Kind::Dollar {
            let more = lexing.name_more;
            bump_while(&mut lex, |b| is_name(b, more));
            (kind, r) = (Kind::Name, lex.span());
        }
        if kind == Kind::AndAnd && lexing.amp_letters && !lexing.amp_digits {
            // No operator of this dialect: `7&&B1111` is `7 & &B1111`.
            let (first, second) = (at + r.start, at + r.start + 1);
            let span = Span::new(source, first as u32, second as u32);
            (kind, r.start) = (Kind::Amp, r.start + 1);
            out.push(Tok { kind, span });
            amp(&mut lex);
            r.end = lex.span().end;
        }
        if kind == Kind::Backslash && lexing.continued != Continued::Nothing {
            let n = splice(&lex.source().as_bytes()[r.start..]);
            if n > 0 {
                lex.bump(n - 1);
                continue;
            }
        }
        if matches!(lexing.signs, Signs::Gnu | Signs::Hashed)
            && let Some(next) = gnu_end(&lex, kind, (at, source), out)
        {
            return next;
        }
        lex.extras.after.name = kind == Kind::Name;
        lex.extras.after.operand = ends_operand(kind, r.len());
        let dotted = kind == Kind::Name
            && lexing.plain_texts
            && r.len() > 1
            && text.as_bytes()[at + r.end - 1] == b'.';
        let end = at + r.end - usize::from(dotted);
        out.push(Tok {
            kind,
            span: Span::new(source, (at + r.start) as u32, end as u32),
        });
        if out.len() >= MAX_TOKENS {
            let rest = lex.remainder().as_bytes();
            let skipped = memchr::memchr(b'\n', rest).map_or(rest.len(), |n| n + 1);
            return at + r.end + skipped;
        }
    }
}

/// The next statement or line, where a token of GNU as ends this one: a comment, also of an
/// earlier preprocessor (`# 12 "file"`), or `$`, also within what was taken for a number.
fn gnu_end(
    lex: &Lexer<'_, Kind>,
    kind: Kind,
    (at, source): (usize, SourceId),
    out: &mut Vec<Tok>,
) -> Option<usize> {
    let r = lex.span();
    let separates = lex.extras.signs == Signs::Gnu;
    match kind {
        Kind::Hash | Kind::Paste if out.is_empty() => {
            let rest = lex.remainder().as_bytes();
            let skipped = memchr::memchr(b'\n', rest).map_or(rest.len(), |n| n + 1);
            Some(at + r.end + skipped)
        }
        Kind::Dollar if separates => Some(at + r.start + 1),
        Kind::Number if separates => {
            let n = memchr::memchr(b'$', lex.slice().as_bytes())?;
            let end = at + r.start + n;
            let span = Span::new(source, (at + r.start) as u32, end as u32);
            out.push(Tok { kind, span });
            Some(end + 1)
        }
        _ => None,
    }
}

/// What a byte can be of the tokens that are the same in all dialects.
const BLANK: u8 = 1;
const NAME: u8 = 2;
const DIGIT: u8 = 4;
const OF_NUMBER: u8 = 8;

const BYTES: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 256 {
        let c = b as u8;
        table[b] = match c {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => BLANK,
            b'0'..=b'9' => DIGIT | OF_NUMBER | NAME,
            b'.' => NAME,
            _ if c.is_ascii_alphabetic() || c == b'_' => NAME | OF_NUMBER,
            _ => 0,
        };
        b += 1;
    }
    table
};

/// Takes the tokens at the start of a line that are the same in all dialects and need no
/// look at what is around them. Gives where it stopped, and whether the line ended there.
fn plain(
    text: &[u8],
    at: usize,
    source: SourceId,
    lexing: &Lexing,
    out: &mut Vec<Tok>,
) -> (usize, bool) {
    let of = |i: usize| text.get(i).map_or(0, |&b| BYTES[usize::from(b)]);
    let more = lexing.name_more.as_bytes();
    let (mut i, most) = (at, out.len() + 64);
    while let Some(&b) = text.get(i) {
        let start = i;
        let kind = match b {
            b'\n' => return (i + 1, true),
            b';' => {
                let end = lexing.continued.comment_end(text, i);
                return ((end + 1).min(text.len()), true);
            }
            b',' => Kind::Comma,
            b'(' => Kind::Open,
            b')' => Kind::Close,
            b'+' => Kind::Plus,
            b'-' => Kind::Minus,
            b':' if text.get(i + 1) != Some(&b'=') => Kind::Colon,
            _ if BYTES[usize::from(b)] & BLANK != 0 => {
                i += 1;
                continue;
            }
            _ if BYTES[usize::from(b)] & DIGIT != 0 => Kind::Number,
            _ if BYTES[usize::from(b)] & NAME != 0 => Kind::Name,
            _ => return (i, false),
        };
        i += 1;
        if matches!(kind, Kind::Name | Kind::Number) {
            let part = if kind == Kind::Name { NAME } else { OF_NUMBER };
            while of(i) & part != 0 {
                i += 1;
            }
            // What usually follows is in no dialect part of it.
            let next = text.get(i).copied().unwrap_or(b'\n');
            let ends = next <= b' ' || matches!(next, b',' | b':' | b')' | b'+' | b';');
            let dotted = kind == Kind::Name && lexing.plain_texts && text[i - 1] == b'.';
            let exponent = next == b'+' && lexing.floats;
            if !ends || dotted || exponent || more.contains(&next) {
                return (start, false);
            }
        }
        if out.len() >= most {
            return (start, false);
        }
        out.push(Tok {
            kind,
            span: Span::new(source, start as u32, i as u32),
        });
    }
    (i, true)
}

/// Bytes of a line end at the start of `rest`.
pub fn line_end(rest: &[u8]) -> usize {
    match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    }
}

/// Bytes of `\`, blanks and a line end at the start of `rest`; 0 if it is none.
pub fn splice(rest: &[u8]) -> usize {
    if rest.first() != Some(&b'\\') {
        return 0;
    }
    let blanks = rest[1..].iter().take_while(|b| matches!(b, b' ' | b'\t'));
    let n = 1 + blanks.count();
    match line_end(&rest[n..]) {
        0 => 0,
        end => n + end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect;

    fn texts(text: &str) -> Vec<String> {
        let lexing = dialect::by_name("native").unwrap().lexing;
        let mut out = Vec::new();
        line(text, 0, SourceId(0), lexing, &mut out);
        out.iter()
            .map(|t| text[t.span.start as usize..t.span.end as usize].to_owned())
            .collect()
    }

    /// All tokens of a text by the general way alone.
    fn slowly(text: &str, lexing: Lexing) -> Vec<(Kind, String)> {
        let mut lex = Kind::lexer_with_extras(text, lexing);
        let mut out = Vec::new();
        while let Some(kind) = lex.next() {
            out.push((kind.unwrap_or(Kind::Bad), lex.slice().to_owned()));
            if out.last().is_some_and(|t| t.0 == Kind::Newline) {
                out.pop();
                break;
            }
        }
        out
    }

    proptest::proptest! {
        #[test]
        fn the_quick_way_finds_the_same_tokens(text in "[a-zA-Z0-9_.,:;()+\\-$#?@!é'= \t\n]{0,24}") {
            for d in dialect::all() {
                let x = d.lexing;
                let mut quick = Vec::new();
                let (end, ended) = plain(text.as_bytes(), 0, SourceId(0), &x, &mut quick);
                let all = slowly(&text, x);
                proptest::prop_assert!(all.len() >= quick.len(), "{}: {:?}", d.name, text);
                for (q, s) in quick.iter().zip(&all) {
                    let own = &text[q.span.start as usize..q.span.end as usize];
                    proptest::prop_assert_eq!((q.kind, own), (s.0, &*s.1), "{}: {:?}", d.name, &text);
                }
                proptest::prop_assert!(!ended || all.len() == quick.len());
                proptest::prop_assert!(!ended || end == text.len() || text[..end].ends_with('\n'));
            }
        }
    }

    #[test]
    fn a_percent_sign_starts_a_number_or_divides() {
        assert_eq!(texts("db %101"), ["db", "%101"]);
        assert_eq!(texts("db 7%10"), ["db", "7", "%", "10"]);
        assert_eq!(texts("db size%10"), ["db", "size", "%", "10"]);
        assert_eq!(texts("db size % 10"), ["db", "size", "%", "10"]);
        assert_eq!(texts("db (7) %10"), ["db", "(", "7", ")", "%", "10"]);
    }
}
