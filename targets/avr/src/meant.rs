//! What people write for the AVR that it does not have, and what does the same.

/// A register by number.
fn register(text: &str) -> Option<u8> {
    let number = text.strip_prefix('r')?.parse().ok()?;
    (number < 32).then_some(number)
}

/// Names of pointers.
fn is_pointer(text: &str) -> bool {
    ["x", "y", "z"].contains(&text)
}

/// What is told of instructions on pairs of registers, and of displacements.
fn pair_or_displacement(mnemonic: &str, to: &str, from: &str) -> Option<String> {
    let moved = |p: &str| {
        let digits = p
            .strip_prefix(['x', 'y', 'z'])
            .and_then(|p| p.strip_prefix('+'));
        digits.is_some_and(|d| !d.is_empty())
    };
    let (pointer, long) = match mnemonic {
        "ld" | "ldd" => (from, "ldd"),
        "st" | "std" => (to, "std"),
        "adiw" | "sbiw" if register(to).is_some_and(|n| n < 24 || n % 2 == 1) => {
            let told = format!("`{mnemonic}` takes r24, r26, r28 or r30, the low one of a pair");
            return Some(told);
        }
        "movw"
            if [to, from]
                .iter()
                .any(|r| register(r).is_some_and(|n| n % 2 == 1)) =>
        {
            return Some("`movw` copies pairs, which begin with a register of even number".into());
        }
        _ => return None,
    };
    if !moved(pointer) {
        return None;
    }
    match (pointer.starts_with('x'), mnemonic == long) {
        (true, _) => Some("X takes no displacement, Y and Z do".into()),
        (false, false) => Some(format!("write `{long} {to},{from}`")),
        (false, true) => None,
    }
}

/// The instructions that do what one with these operands would.
pub fn meant(mnemonic: &str, operands: &[&str]) -> Option<String> {
    let &[to, from] = operands else { return None };
    if let Some(told) = pair_or_displacement(mnemonic, to, from) {
        return Some(told);
    }
    if from.is_empty() || is_pointer(from) || register(from).is_some() {
        return match (mnemonic, register(to), from) {
            ("mov", Some(_), p) if is_pointer(p) => Some(format!("write `ld {to},{p}`")),
            _ => None,
        };
    }
    // What is stored comes from a register.
    if register(to).is_none() && ["out", "sts", "st"].contains(&mnemonic) {
        let plain = !from.starts_with(['(', '[', '-']) && !from.ends_with('+');
        let number = plain || from[1..].bytes().all(|b| b.is_ascii_digit());
        return number.then(|| format!("write `ldi r16,{from}` and `{mnemonic} {to},r16`"));
    }
    if mnemonic == "ldi" && is_pointer(to) {
        let low = 26 + 2 * u8::try_from(["x", "y", "z"].iter().position(|p| *p == to)?).ok()?;
        let high = low + 1;
        return Some(format!(
            "a pointer is two registers: `ldi r{low}` with the low byte, `ldi r{high}` with the high one"
        ));
    }
    if mnemonic == "mov" && to.contains(':') {
        return Some("`movw` copies a pair, `mov` one register".into());
    }
    let n = register(to)?;
    if from.starts_with(['(', '[']) || from.contains(['+', '-']) && from.contains(['x', 'y', 'z']) {
        return None;
    }
    let upper = n >= 16;
    Some(match (mnemonic, upper) {
        ("mov" | "ld", true) => {
            format!(
                "write `ldi {to},{from}` for the number, `lds {to},{from}` for what is at the address"
            )
        }
        ("mov" | "ld", false) | ("ldi", false) => {
            format!("numbers go to r16 to r31: `ldi r16,{from}` and `mov {to},r16`")
        }
        ("add", true) => format!("write `subi {to},-({from})`"),
        ("sub", true) => format!("write `subi {to},{from}`"),
        ("sbc", true) => format!("write `sbci {to},{from}`"),
        ("and", true) => format!("write `andi {to},{from}`"),
        ("or", true) => format!("write `ori {to},{from}`"),
        ("cp", true) => format!("write `cpi {to},{from}`"),
        ("eor", true) => "`ldi` the number into another register, and `eor` with that".into(),
        ("cpi" | "subi" | "sbci" | "andi" | "ori" | "sbr" | "cbr", false) => {
            let plain = match mnemonic {
                "cpi" => "cp",
                "subi" => "sub",
                "sbci" => "sbc",
                "andi" => "and",
                _ => "or",
            };
            match mnemonic {
                "cbr" => "numbers go with r16 to r31 only".into(),
                _ => format!("numbers go with r16 to r31: `ldi r16,{from}` and `{plain} {to},r16`"),
            }
        }
        ("add" | "sub" | "sbc" | "and" | "or" | "eor" | "cp", false) => {
            format!("numbers go to r16 to r31: `ldi r16,{from}` and `{mnemonic} {to},r16`")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_an_instruction() {
        let table: &[(&str, &[&str], &str)] = &[
            ("mov", &["r16", "5"], "write `ldi r16,5`"),
            ("cp", &["r20", "x1"], "write `cpi r20,x1`"),
            ("add", &["r16", "5"], "write `subi r16,-(5)`"),
            ("ldi", &["r5", "1"], "`ldi r16,1` and `mov r5,r16`"),
            ("mov", &["r0", "x"], "write `ld r0,x`"),
            ("cpi", &["r5", "1"], "`ldi r16,1` and `cp r5,r16`"),
            ("ori", &["r5", "1"], "`ldi r16,1` and `or r5,r16`"),
            ("cbr", &["r5", "1"], "r16 to r31 only"),
            (
                "ldi",
                &["z", "t*2"],
                "`ldi r30` with the low byte, `ldi r31`",
            ),
            ("mov", &["r1:r0", "r3:r2"], "`movw` copies a pair"),
            (
                "out",
                &["portb", "5"],
                "write `ldi r16,5` and `out portb,r16`",
            ),
            ("st", &["x+", "-1"], "write `ldi r16,-1` and `st x+,r16`"),
            ("ld", &["r0", "z+q"], "write `ldd r0,z+q`"),
            ("st", &["y+1", "r0"], "write `std y+1,r0`"),
            ("ldd", &["r0", "x+1"], "X takes no displacement"),
            ("adiw", &["r16", "1"], "r24, r26, r28 or r30"),
            ("movw", &["r1", "r2"], "even number"),
        ];
        for (name, operands, want) in table {
            let told = meant(name, operands).unwrap_or_default();
            assert!(told.contains(want), "{name} {operands:?}: {told}");
        }
        assert_eq!(meant("mov", &["tmp", "r0"]), None);
        assert_eq!(meant("ld", &["r0", "z+"]), None);
        assert_eq!(meant("ldd", &["r0", "z+99"]), None);
        assert_eq!(meant("st", &["r0", "x+"]), None);
        assert_eq!(meant("st", &["5", "(x)"]), None);
        assert_eq!(meant("nop", &[]), None);
    }
}
