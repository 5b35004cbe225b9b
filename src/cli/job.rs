//! Assembling a program for a command, with everything printed on the way.

use super::Failure;
use super::program::{Program, unknown};
use super::progress::Progress;
use super::terminal::Terminal;
use super::view::View;
use crate::assemble::{Job, assemble};
use crate::diagnostic::{Diagnostic, codes};
use crate::image::{Budget, Image};
use crate::source::{Sources, Span};
use scrimp_isa::Machine;

/// Formats that need no machine.
pub const FORMATS: &[&str] = &["bin", "hex", "lst", "map", "sym", "sld", "json"];

/// A program without errors.
pub struct Built {
    pub image: Image,
    pub sources: Sources,
    /// Budgets of the source and of `program.toml`.
    pub budgets: Vec<Budget>,
}

/// Assembles a program and prints what was found.
pub fn build(program: &Program, terminal: &Terminal) -> Result<Built, Failure> {
    let output = {
        let _progress = Progress::start(format!("assembling {}", program.name));
        assemble(
            &Job {
                file: program.main.clone(),
                target: program.target,
                machine: program.machine,
                dialect: program.dialect.clone(),
                defines: program.defines.clone(),
            },
            &program.loader,
        )
    };
    terminal.findings(&output.diagnostics, &output.sources);
    let image = output.image.ok_or(Failure::Findings)?;
    let mut sources = output.sources;
    let mut budgets = image.budgets.clone();
    budgets.extend(program.budgets(&mut sources));
    Ok(Built {
        image,
        sources,
        budgets,
    })
}

impl Built {
    /// The program in one format; a container's fault is printed with the place of
    /// the byte it is about.
    pub fn write(
        &self,
        program: &Program,
        format: &str,
        terminal: &Terminal,
    ) -> Result<Vec<u8>, Failure> {
        let containers = program.machine.map_or(&[][..], |m| m.containers());
        let Some(container) = containers.iter().find(|c| c.name == format) else {
            return self.plain(format);
        };
        let view = View::new(&self.image, &program.options, &program.name);
        match (container.write)(&view) {
            Ok(made) => {
                let warn = |w: &String| Diagnostic::new(codes::CONTAINER_WARNING, w.as_str());
                let warnings: Vec<_> = made.warnings.iter().map(warn).collect();
                terminal.findings(&warnings, &self.sources);
                Ok(made.bytes)
            }
            Err(e) => {
                let mut d = Diagnostic::new(codes::CONTAINER, e.message);
                d.help = e.help;
                d.span = e.address.and_then(|a| self.place(a));
                terminal.findings(&[d], &self.sources);
                Err(Failure::Findings)
            }
        }
    }

    fn plain(&self, format: &str) -> Result<Vec<u8>, Failure> {
        match format {
            "bin" => Ok(self.image.binary(0)),
            _ => Err(Failure::Failed(unknown(
                "format",
                format,
                FORMATS.iter().copied(),
            ))),
        }
    }

    /// The statement that put the byte at an address.
    pub fn place(&self, address: u64) -> Option<Span> {
        let holds = |start: u64, len: usize| (start..start + len as u64).contains(&address);
        let chunk = self
            .image
            .chunks
            .iter()
            .rev()
            .find(|c| holds(c.load, c.bytes.len()))?;
        let at = (address - chunk.load) as u32;
        let run = chunk
            .runs
            .partition_point(|r| r.offset <= at)
            .checked_sub(1)?;
        Some(chunk.runs[run].span)
    }
}

/// Refuses a format that neither scrimp nor the machine writes.
pub fn check_format(name: &str, machine: Option<&'static dyn Machine>) -> Result<(), String> {
    let of_machine = machine.map_or(&[][..], |m| m.containers());
    let names = FORMATS
        .iter()
        .copied()
        .chain(of_machine.iter().map(|c| c.name));
    if names.clone().any(|n| n == name) {
        return Ok(());
    }
    Err(unknown("format", name, names))
}

/// An unsigned number: `16393`, `0x4009`, `$4009`, `4009h`.
pub fn number(text: &str) -> Option<u64> {
    let t = text.trim();
    let hex = t
        .strip_prefix("0x")
        .or_else(|| t.strip_prefix("0X"))
        .or_else(|| t.strip_prefix('$'));
    let hex = hex.or_else(|| {
        let first = t.bytes().next().is_some_and(|b| b.is_ascii_digit());
        t.strip_suffix(['h', 'H']).filter(|_| first)
    });
    let digits = |d: &str, radix| {
        let ok = !d.is_empty() && d.bytes().all(|b| b.is_ascii_alphanumeric());
        ok.then(|| u64::from_str_radix(d, radix).ok()).flatten()
    };
    hex.map_or_else(|| digits(t, 10), |h| digits(h, 16))
}

/// A number with an optional minus sign.
pub fn signed(text: &str) -> Option<i64> {
    let t = text.trim();
    match t.strip_prefix('-') {
        Some(t) => number(t).and_then(|n| 0i64.checked_sub_unsigned(n)),
        None => number(t).and_then(|n| i64::try_from(n).ok()),
    }
}

/// A number with commas between thousands.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for t in ["16393", "0x4009", "$4009", "4009h", "4009H"] {
            assert_eq!(number(t), Some(16393), "{t}");
        }
        for t in [
            "",
            "h",
            "ah",
            "+5",
            "0x",
            "$-1",
            "0x+1",
            "99999999999999999999",
        ] {
            assert_eq!(number(t), None, "{t}");
        }
        assert_eq!(signed("-1"), Some(-1));
        assert_eq!(signed("-0x8000000000000000"), Some(i64::MIN));
        assert_eq!(signed("0x8000000000000000"), None);
    }

    #[test]
    fn commas() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(46_734_977_142), "46,734,977,142");
    }
}
