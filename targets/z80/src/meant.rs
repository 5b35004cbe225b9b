//! What people write for the Z80 that it does not have, and what does the same.

/// Register pairs and their halves, high half first.
const PAIRS: &[(&str, &str, &str)] = &[
    ("bc", "b", "c"),
    ("de", "d", "e"),
    ("hl", "h", "l"),
    ("ix", "ixh", "ixl"),
    ("iy", "iyh", "iyl"),
];

fn halves(name: &str) -> Option<(&'static str, &'static str)> {
    PAIRS.iter().find(|p| p.0 == name).map(|p| (p.1, p.2))
}

/// A pair in parentheses.
fn pointer(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    halves(inner).map(|_| inner)
}

fn is_pair(text: &str) -> bool {
    text == "af" || halves(text).is_some()
}

/// A number or label.
fn is_value(text: &str) -> bool {
    let other = ["a", "sp", "i", "r"];
    let is_half = PAIRS.iter().any(|p| p.1 == text || p.2 == text);
    !text.starts_with(['(', '[']) && !is_pair(text) && !is_half && !other.contains(&text)
}

fn is_register(text: &str) -> bool {
    ["a", "b", "c", "d", "e", "h", "l"].contains(&text)
}

/// A number or label in parentheses.
fn is_address(text: &str) -> bool {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let words = ["sp", "af", "i", "r"];
    inner.is_some_and(|t| {
        !is_register(t)
            && halves(t).is_none()
            && !words.contains(&t)
            && !t.starts_with("ix")
            && !t.starts_with("iy")
            && moved_pointer(text).is_none()
    })
}

/// A byte in memory that A can be loaded from and stored to.
fn is_memory(text: &str) -> bool {
    let indexed = text.starts_with("(ix") || text.starts_with("(iy");
    is_address(text) || pointer(text).is_some() || indexed && text.ends_with(')')
}

/// `hl` of `(hl+1)`: a pair that takes no offset, its sign and what is added.
fn moved_pointer(text: &str) -> Option<(&str, char, &str)> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let at = inner.find(['+', '-'])?;
    let pair = inner[..at].trim();
    let other = ["bc", "de", "hl", "sp"].contains(&pair);
    let offset = inner[at + 1..].trim();
    other.then_some((pair, inner[at..].chars().next()?, offset))
}

/// The instructions that do what one with these operands would.
pub fn meant(mnemonic: &str, operands: &[&str]) -> Option<String> {
    if let Some((pair, sign, offset)) = operands.iter().find_map(|o| moved_pointer(o)) {
        let step = if sign == '+' { "inc" } else { "dec" };
        return Some(match offset {
            "1" if pair != "sp" => {
                format!(
                    "only ix and iy take an offset: `{step} {pair}` comes before, `({pair})` stands here"
                )
            }
            _ => "only ix and iy take an offset: `(ix+d)`".to_owned(),
        });
    }
    let text = match (mnemonic, operands) {
        ("ld", [to, from]) => load(to, from)?,
        ("inc" | "dec", [p]) => {
            pointer(p)?;
            format!("`ld a,{p}`, `{mnemonic} a` and `ld {p},a`")
        }
        ("add" | "adc" | "sub" | "sbc" | "and" | "or" | "xor" | "cp", [.., p])
            if pointer(p).is_some() && operands.len() < 3 && operands[0] != "hl" =>
        {
            "only (hl), (ix+d) and (iy+d) can stand here".to_owned()
        }
        ("add", ["bc" | "de", _]) => "only hl, ix and iy can be added to".to_owned(),
        ("sub", ["hl", from]) => format!("`or a` and `sbc hl,{from}`"),
        ("push" | "pop", [a, b]) if is_pair(a) && is_pair(b) => {
            format!("`{mnemonic} {a}` and `{mnemonic} {b}`")
        }
        ("add" | "adc" | "sbc", ["hl", n]) if is_value(n) => {
            format!("`ld de,{n}` and `{mnemonic} hl,de`")
        }
        ("out", [p]) if is_address(p) => format!("`out {p},a`"),
        ("in", [p]) if is_address(p) => format!("`in a,{p}`"),
        ("jp", ["(bc)" | "(de)"]) => format!("`push {}` and `ret`", pointer(operands[0])?),
        ("push" | "pop", ["a"]) => format!("`{mnemonic} af`"),
        ("push" | "pop", [half]) => {
            let (pair, ..) = PAIRS.iter().find(|p| p.1 == *half || p.2 == *half)?;
            format!("only pairs: `{mnemonic} {pair}`")
        }
        ("ex", [a, b])
            if ["hl", "de"] != [*a, *b] && halves(a).is_some() && halves(b).is_some() =>
        {
            format!("`push {a}`, `push {b}`, `pop {a}` and `pop {b}`")
        }
        ("jr", [condition @ ("po" | "pe" | "p" | "m"), to]) => format!("`jp {condition},{to}`"),
        _ => return None,
    };
    Some(match text.starts_with("only") {
        true => text,
        false => format!("write {text}"),
    })
}

fn load(to: &str, from: &str) -> Option<String> {
    if let (Some((a, b)), Some((c, d))) = (halves(to), halves(from)) {
        let index = |name: &str| name.starts_with('i');
        return Some(match index(to) || index(from) {
            true => format!("`push {from}` and `pop {to}`"),
            false => format!("`ld {a},{c}` and `ld {b},{d}`"),
        });
    }
    if is_memory(to) && is_memory(from) {
        return Some(format!("`ld a,{from}` and `ld {to},a`"));
    }
    match (pointer(to), pointer(from)) {
        (Some(_), None) if is_register(from) => {
            return Some(format!("`ld a,{from}` and `ld {to},a`"));
        }
        (None, Some(p)) if is_register(to) => return Some(format!("`ld a,({p})` and `ld {to},a`")),
        (None, Some(p)) => {
            let (a, b) = halves(to)?;
            if to == p {
                return None;
            }
            return Some(format!(
                "`ld {b},({p})`, `inc {p}`, `ld {a},({p})` and `dec {p}`"
            ))
            .filter(|_| p == "hl" && !to.starts_with('i'));
        }
        _ => {}
    }
    if let Some((a, b)) = halves(to)
        && is_register(from)
    {
        return Some(format!("`ld {b},{from}` and `ld {a},0`"));
    }
    if is_register(to) && is_address(from) {
        return Some(format!("`ld a,{from}` and `ld {to},a`"));
    }
    if is_register(from) && is_address(to) {
        return Some(format!("`ld a,{from}` and `ld {to},a`"));
    }
    if let ("(hl)", Some((high, low))) = (to, halves(from))
        && matches!(from, "bc" | "de")
    {
        return Some(format!(
            "`ld (hl),{low}`, `inc hl`, `ld (hl),{high}` and `dec hl`"
        ));
    }
    if (to, from) == ("sp", "de") {
        return Some("`ex de,hl`, `ld sp,hl` and `ex de,hl`".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z80;
    use scrimp_isa::Target;

    #[test]
    fn what_is_told_exists() {
        let names: Vec<&str> = (Z80.forms().iter())
            .filter(|f| f.spelling.is_empty())
            .map(|f| f.name)
            .collect();
        let table: &[(&str, &[&str], &str)] = &[
            ("ld", &["hl", "de"], "write `ld h,d` and `ld l,e`"),
            ("ld", &["ix", "hl"], "write `push hl` and `pop ix`"),
            ("ld", &["(hl)", "(de)"], "write `ld a,(de)` and `ld (hl),a`"),
            ("ld", &["b", "(de)"], "write `ld a,(de)` and `ld b,a`"),
            ("ld", &["(bc)", "h"], "write `ld a,h` and `ld (bc),a`"),
            ("ld", &["b", "(5)"], "write `ld a,(5)` and `ld b,a`"),
            ("ld", &["(5)", "(6)"], "write `ld a,(6)` and `ld (5),a`"),
            ("ld", &["(5)", "(hl)"], "write `ld a,(hl)` and `ld (5),a`"),
            ("ld", &["(hl)", "(5)"], "write `ld a,(5)` and `ld (hl),a`"),
            (
                "ld",
                &["(hl)", "(ix+1)"],
                "write `ld a,(ix+1)` and `ld (hl),a`",
            ),
            (
                "ld",
                &["(hl)", "de"],
                "write `ld (hl),e`, `inc hl`, `ld (hl),d` and `dec hl`",
            ),
            (
                "ld",
                &["sp", "de"],
                "write `ex de,hl`, `ld sp,hl` and `ex de,hl`",
            ),
            ("ld", &["hl", "a"], "write `ld l,a` and `ld h,0`"),
            (
                "inc",
                &["(de)"],
                "write `ld a,(de)`, `inc a` and `ld (de),a`",
            ),
            ("sub", &["hl", "de"], "write `or a` and `sbc hl,de`"),
            ("add", &["hl", "5"], "write `ld de,5` and `add hl,de`"),
            ("push", &["af", "bc"], "write `push af` and `push bc`"),
            ("out", &["(254)"], "write `out (254),a`"),
            ("in", &["(254)"], "write `in a,(254)`"),
            ("jp", &["(de)"], "write `push de` and `ret`"),
            ("push", &["a"], "write `push af`"),
            ("push", &["b"], "only pairs: `push bc`"),
            ("jr", &["po", "x"], "write `jp po,x`"),
        ];
        for (name, operands, want) in table {
            assert_eq!(
                meant(name, operands).as_deref(),
                Some(*want),
                "{name} {operands:?}"
            );
            for told in want.split('`').skip(1).step_by(2) {
                let first = told.split(' ').next().unwrap_or("");
                assert!(names.contains(&first), "{told}");
            }
        }
        for (operand, want) in [
            ("(hl+1)", "`inc hl` comes before, `(hl)` stands here"),
            ("(de-1)", "`dec de` comes before, `(de)` stands here"),
            ("(hl+2)", "`(ix+d)`"),
            ("(sp+1)", "`(ix+d)`"),
        ] {
            let told = meant("ld", &[operand, "a"]).unwrap_or_default();
            assert!(told.ends_with(want), "{told}");
        }
        assert_eq!(meant("nop", &["a"]), None);
        assert_eq!(meant("add", &["hl", "a"]), None);
        assert_eq!(meant("out", &["(c)"]), None);
        assert_eq!(meant("ld", &["q", "w"]), None);
        assert_eq!(meant("ld", &["(hl)", "hl"]), None);
        assert_eq!(meant("ld", &["(sp)", "(5)"]), None);
        assert_eq!(meant("ld", &["b", "(sp)"]), None);
        assert_eq!(meant("ld", &["ix", "(hl)"]), None);
    }
}
