//! What the outputs of a build depend on, as a rule that make and ninja read.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The rule of these targets: every input, and an empty rule for each, so that one that has
/// gone does not stop make.
///
/// # Errors
/// A name that no rule can have.
pub fn rule(targets: &[String], inputs: &[PathBuf]) -> Result<String, String> {
    let here = std::env::current_dir().and_then(|d| d.canonicalize());
    let near = |p: &PathBuf| {
        let short = here.as_ref().ok().and_then(|h| p.strip_prefix(h).ok());
        short.unwrap_or(p).to_owned()
    };
    let mut all = Vec::new();
    for input in inputs {
        let name = escaped(&near(input).to_string_lossy())?;
        if !all.contains(&name) {
            all.push(name);
        }
    }
    let targets: Vec<String> = targets
        .iter()
        .map(|t| escaped(t))
        .collect::<Result<_, _>>()?;
    let mut out = format!("{}:", targets.join(" "));
    for name in &all {
        let _ = write!(out, " \\\n  {name}");
    }
    out.push('\n');
    for name in &all {
        let _ = write!(out, "\n{name}:\n");
    }
    Ok(out)
}

/// A name as rules have it.
fn escaped(name: &str) -> Result<String, String> {
    if name.contains(['\n', '\r']) {
        return Err(format!("{name:?} cannot stand in a rule for make"));
    }
    let mut out = String::new();
    for c in name.chars() {
        match c {
            ' ' | '\t' | '#' | ':' => out.push('\\'),
            '$' => out.push('$'),
            _ => {}
        }
        out.push(c);
    }
    Ok(out)
}

/// Where the rule goes when nothing is said: beside the first output.
pub fn beside(output: &Path) -> PathBuf {
    output.with_extension("d")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules() {
        let inputs = [PathBuf::from("/x/a b.asm"), PathBuf::from("/x/c$#:.asm")];
        let made = rule(&["out dir/a.bin".into()], &inputs).unwrap();
        let want = "out\\ dir/a.bin: \\\n  /x/a\\ b.asm \\\n  /x/c$$\\#\\:.asm\n\n\
                    /x/a\\ b.asm:\n\n/x/c$$\\#\\:.asm:\n";
        assert_eq!(made, want);
        assert!(rule(&["a\nb".into()], &[]).is_err());
    }
}
