//! Numbers as other assemblers write them, and how a dialect writes them.

use crate::read::syntax::literal;
use crate::text::language::Dialect;
use crate::text::lex::{self, Kind};
use crate::text::source::SourceId;

/// A number in anybody's spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<'t> {
    /// Its digits.
    pub digits: &'t str,
    /// 2, 8, 10 or 16.
    pub base: u32,
    /// It is `#` and decimal digits: hexadecimal for some, for others any number.
    pub open: bool,
}

/// Reads a number as any assembler writes it: `#4082`, `#$40`, `&FF`, `&HFF`, `$FF`,
/// `0xFF`, `0FFh`, `FFh`, `%101`, `0b101`, `101b`, `17o`, `@17`, `h'FF'`.
pub fn read(text: &str) -> Option<Number<'_>> {
    let of = |digits, base| {
        let number = Number {
            digits,
            base,
            open: false,
        };
        is_of(digits, base).then_some(number)
    };
    let lower = text.to_ascii_lowercase();
    if let Some(rest) = text.strip_prefix('#') {
        let Some(inner) = of(rest, 10) else {
            return read(rest).or_else(|| of(rest, 16));
        };
        return Some(Number {
            open: true,
            ..inner
        });
    }
    let tables: [(&str, u32); 10] = [
        ("&h", 16),
        ("&b", 2),
        ("&o", 8),
        ("&x", 2),
        ("&", 16),
        ("0x", 16),
        ("0b", 2),
        ("0o", 8),
        ("$", 16),
        ("%", 2),
    ];
    for (mark, base) in tables {
        if lower.starts_with(mark)
            && let Some(n) = of(&text[mark.len()..], base)
        {
            return Some(n);
        }
    }
    if let Some(inner) = lower.strip_suffix('\'')
        && let Some((mark, _)) = inner.split_once('\'')
    {
        let base = match mark {
            "h" | "x" => 16,
            "b" => 2,
            "d" => 10,
            "o" | "q" => 8,
            _ => return None,
        };
        return of(&text[mark.len() + 1..text.len() - 1], base);
    }
    if let Some(digits) = text.strip_prefix('@') {
        return of(digits, 8);
    }
    let (body, last) = lower.split_at_checked(lower.len().checked_sub(1)?)?;
    match last {
        "h" => of(&text[..body.len()], 16),
        "b" => of(&text[..body.len()], 2),
        "o" | "q" => of(&text[..body.len()], 8),
        _ => of(text, 10),
    }
}

fn is_of(digits: &str, base: u32) -> bool {
    !digits.is_empty() && digits.len() <= 64 && digits.chars().all(|c| c.is_digit(base))
}

impl Dialect {
    /// How the dialect writes the digits of a number, its first spelling that it reads
    /// as that value.
    pub fn number(&self, digits: &str, base: u32) -> Option<String> {
        let value = u64::from_str_radix(digits, base).ok()?;
        let spellings = self.spellings(digits, base);
        spellings.into_iter().find(|s| self.reads(s) == Some(value))
    }

    /// All ways to write a number of that base, that some dialect has.
    fn spellings(&self, digits: &str, base: u32) -> Vec<String> {
        let zero = match digits.starts_with(|c: char| c.is_ascii_digit()) {
            true => "",
            false => "0",
        };
        match base {
            16 => vec![
                format!("${digits}"),
                format!("0x{digits}"),
                format!("{zero}{digits}h"),
            ],
            2 => vec![
                format!("%{digits}"),
                format!("0b{digits}"),
                format!("{digits}b"),
            ],
            8 => vec![format!("{digits}o"), format!("0{digits}")],
            _ => vec![digits.trim_start_matches('0').to_owned()],
        }
    }

    /// The value of a text that is one number.
    fn reads(&self, text: &str) -> Option<u64> {
        let mut toks = Vec::new();
        lex::line(text, 0, SourceId(0), self.lexing, &mut toks);
        let [t] = toks[..] else { return None };
        if t.span.end as usize != text.len() {
            return None;
        }
        match t.kind {
            Kind::Number
                if self.values.numbers.labels
                    && text.ends_with(['b', 'f'])
                    && !text.starts_with("0x") =>
            {
                None
            }
            Kind::Number => literal::number(text, &self.values.numbers).ok(),
            Kind::Dollar | Kind::Percent | Kind::Hash | Kind::Amp => {
                literal::marked(text, t.kind, self)?.ok()
            }
            _ => None,
        }
    }

    /// How the dialect writes hexadecimal and binary numbers.
    pub fn number_forms(&self) -> String {
        let all = |digits, base| {
            let value = u64::from_str_radix(digits, base).ok();
            let mut list = self.spellings(digits, base);
            list.retain(|s| self.reads(s) == value);
            list.join(" or ")
        };
        let hexadecimal = format!("hexadecimal numbers are written {}", all("1F", 16));
        match all("101", 2) {
            // Not every dialect has them.
            none if none.is_empty() => hexadecimal,
            binary => format!("{hexadecimal}, binary ones {binary}"),
        }
    }

    /// What to write for a text that is a number in another assembler, if this one
    /// does not read it as that.
    pub fn number_instead(&self, text: &str) -> Option<String> {
        let n = read(text)?;
        if n.open {
            let plain = self.number(n.digits, 10)?;
            let hex = self.number(n.digits, 16)?;
            return Some(format!(
                "write `{hex}` if it is hexadecimal, `{plain}` if it is decimal"
            ));
        }
        let own = self.number(n.digits, n.base)?;
        (own != text).then(|| format!("write `{own}`"))
    }
}

#[cfg(test)]
mod tests {
    use crate::dialect;

    #[test]
    fn numbers_of_all_assemblers_are_told_in_ones_own() {
        let table = [
            ("native", "#40FF", "write `$40FF`"),
            ("native", "#$4082", "write `$4082`"),
            ("native", "&FF", "write `$FF`"),
            ("native", "&hFF", "write `$FF`"),
            ("native", "FFh", "write `$FF`"),
            ("native", "h'1F'", "write `$1F`"),
            ("native", "@17", "write `17o`"),
            (
                "native",
                "#10",
                "write `$10` if it is hexadecimal, `10` if it is decimal",
            ),
            ("avrasm2", "0FFh", "write `$0FF`"),
            ("avrasm2", "%101", "write `0b101`"),
            ("gas-avr", "$1F", "write `0x1F`"),
            ("gas-avr", "1Fh", "write `0x1F`"),
            ("pasmo", "0b101", "write `%101`"),
            ("z80asm", "#FF", "write `$FF`"),
        ];
        for (name, text, want) in table {
            let d = dialect::by_name(name).expect("a dialect");
            assert_eq!(
                d.number_instead(text).as_deref(),
                Some(want),
                "{name} {text}"
            );
        }
        let native = dialect::by_name("native").expect("a dialect");
        for text in ["start", "x1", "$1G", "0xZ", "12", "", "h", "#", "_5"] {
            assert_eq!(native.number_instead(text), None, "{text}");
        }
        for d in dialect::all() {
            let forms = d.number_forms();
            assert!(
                !forms.contains("written ,") && !forms.ends_with(' '),
                "{forms}"
            );
        }
    }
}
