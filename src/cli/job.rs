//! Assembling a program for a command, with everything printed on the way.

use super::failure::Failure;
use super::progress::Progress;
use super::terminal::Terminal;
use crate::image::Image;
use crate::optimize::ledger::Advice;
use crate::report::Sizes;
use crate::report::budget::Check;
use crate::session::build::Build;
use crate::session::front::Session;
use crate::session::pass::Pass;
use crate::session::refusal::Refusal;
use scrimp_isa::container::Contained;
use std::ops::Deref;

/// A program without errors.
pub struct Built(Build);

impl Deref for Built {
    type Target = Build;
    fn deref(&self) -> &Build {
        &self.0
    }
}

/// Assembles a program and prints what was found. Target and machine of the program are
/// those that its source names, from then on.
pub fn build(program: &mut Session, terminal: &Terminal) -> Result<Built, Failure> {
    build_by(program, terminal, &mut ())
}

/// Likewise, with something between the stages.
pub fn build_by(
    program: &mut Session,
    terminal: &Terminal,
    pass: &mut dyn Pass,
) -> Result<Built, Failure> {
    let build = {
        let _progress = Progress::start(format!("assembling {}", program.name));
        program.assemble_by(pass)
    };
    terminal.some_findings(&build.findings, build.left_out, &build.sources);
    if let Some(ledger) = build.ledger.as_ref().filter(|l| !l.broken.is_empty()) {
        let why = match &program.optimize {
            Some(o) if o.replay.is_some() => ledger.broken.clone(),
            _ => format!("the optimizer's ledger does not add up: {}", ledger.broken),
        };
        return Err(Failure::Failed(why));
    }
    if build.image().is_none() {
        return Err(Failure::Findings);
    }
    (program.target, program.machine) = (build.whole.target, build.whole.machine);
    Ok(Built(build))
}

impl Built {
    /// Puts what was tried into the ledger.
    pub fn advised(&mut self, advice: Vec<Advice>) {
        if let Some(ledger) = &mut self.0.ledger {
            ledger.advice = advice;
        }
    }

    /// The image.
    pub fn image(&self) -> &Image {
        self.0.image().expect("it is without errors")
    }

    /// Prints why something of it was refused.
    pub fn refused(&self, refusal: Refusal, terminal: &Terminal) -> Failure {
        if let Refusal::Broken(findings) = &refusal {
            terminal.findings(findings, &self.sources);
        }
        terminal.refused(refusal)
    }

    /// Measures the budgets; one that names nothing is an error.
    pub fn measured(
        &self,
        before: Option<&Sizes>,
        terminal: &Terminal,
    ) -> Result<Vec<Check>, Failure> {
        self.budgets(before).map_err(|faults| {
            terminal.findings(&faults, &self.sources);
            Failure::Findings
        })
    }

    /// Fails with the list of who has the bytes if a budget is exceeded.
    pub fn keep_budgets(&self, before: Option<&Sizes>, terminal: &Terminal) -> Result<(), Failure> {
        let checks = self.measured(before, terminal)?;
        let over = self.exceeded(&checks, before);
        if over.is_empty() {
            return Ok(());
        }
        terminal.findings(&over, &self.sources);
        Err(Failure::Budget)
    }

    /// The program in one format. A container's fault is printed with the place of the
    /// byte it is about and with those who have the bytes.
    pub fn file(
        &self,
        format: &str,
        others: &[String],
        terminal: &Terminal,
    ) -> Result<Contained, Failure> {
        let file = self.write_beside(format, others);
        let file = file.map_err(|r| self.refused(r, terminal))?;
        terminal.findings(&file.warnings, &self.sources);
        match file.denied {
            true => Err(Failure::Findings),
            false => Ok(file.made),
        }
    }
}
