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

#[cfg(test)]
mod tests {
    use super::*;

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
