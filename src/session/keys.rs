//! The `--keys` script: what is typed and when.

use scrimp_isa::Simulation;

/// One step of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Press and release the key of this name or character.
    Press(String),
    /// Wait so many frames.
    Wait(u64),
}

/// Reads `E,2,E,4,NL,w50`. An item is a key's name on the machine, a character, or
/// `w` and a number of frames to wait.
///
/// # Errors
/// An empty item, or one that waits too long.
pub fn parse(script: &str) -> Result<Vec<Step>, String> {
    let mut out = Vec::new();
    for item in script.split(',').map(str::trim) {
        let frames = item.strip_prefix('w').filter(|n| !n.is_empty());
        match frames.map(str::parse) {
            Some(Ok(n)) if n <= 10_000_000 => out.push(Step::Wait(n)),
            Some(_) if item.len() > 1 && item[1..].bytes().all(|b| b.is_ascii_digit()) => {
                return Err(format!("{item} waits too long"));
            }
            _ if item.is_empty() => return Err("an empty item in --keys".into()),
            _ => out.push(Step::Press(item.to_owned())),
        }
    }
    Ok(out)
}

/// The machine's name for what was written: its own name, or the key for a
/// character. Releases it, so that nothing stays pressed.
///
/// # Errors
/// The names that the machine knows.
pub fn resolve(key: &str, machine: &mut dyn Simulation) -> Result<String, String> {
    let mut chars = key.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && let Some(name) = machine.key_for(c)
    {
        return Ok(name.to_owned());
    }
    machine.key(key, false).map(|()| key.to_owned())
}

/// Bytes of a text with the escapes of C.
///
/// # Errors
/// An escape that is not known, a character that is no byte.
pub fn serial(text: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let byte = match c {
            '\\' => match chars.next() {
                Some('n') => b'\n',
                Some('r') => b'\r',
                Some('t') => b'\t',
                Some('e') => 0x1b,
                Some('0') => 0,
                Some('\\') => b'\\',
                Some('x') => {
                    let digits: String = chars.by_ref().take(2).collect();
                    u8::from_str_radix(&digits, 16)
                        .map_err(|_| format!("\\x{digits} is no byte"))?
                }
                other => {
                    let other = other.map_or(String::new(), String::from);
                    return Err(format!("\\{other} is none of \\n \\r \\t \\e \\0 \\xNN"));
                }
            },
            c => u8::try_from(u32::from(c)).map_err(|_| format!("{c} is not a single byte"))?,
        };
        out.push(byte);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_has_escapes() {
        assert_eq!(serial("a\\r\\x1b[\\\\é").unwrap(), b"a\r\x1b[\\\xe9");
        assert!(serial("\\q").is_err());
        assert!(serial("\\x4").unwrap() == [4] && serial("\\xg0").is_err());
        assert!(serial("€").is_err());
    }

    #[test]
    fn scripts() {
        let press = |s: &str| Step::Press(s.into());
        assert_eq!(
            parse("E, 2,NL,w50,w,W").unwrap(),
            [
                press("E"),
                press("2"),
                press("NL"),
                Step::Wait(50),
                press("w"),
                press("W")
            ]
        );
        assert!(parse("a,,b").is_err());
        assert!(parse("w99999999999999999999999").is_err());
    }
}
