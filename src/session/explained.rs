//! The library's front door: a program assembled and, where it fails, told apart from one
//! in another language.

use crate::read::job::Job;
use crate::read::limits::Limits;
use crate::session::assemble::{Linking, Output, Settings, read_by};
use crate::session::pass::Pass;
use crate::session::{gather, language};
use crate::text::source::Loader;

/// Assembles a program of one main file.
pub fn assemble(job: &Job<'_>, loader: &dyn Loader) -> Output {
    assemble_linked(job, &Linking::default(), loader)
}

/// Assembles a program of one or more files.
pub fn assemble_linked(job: &Job<'_>, linking: &Linking, loader: &dyn Loader) -> Output {
    let settings = Settings {
        linking: linking.clone(),
        ..Settings::default()
    };
    assemble_with(job, &settings, loader)
}

/// Assembles a program with all settings.
pub fn assemble_with(job: &Job<'_>, settings: &Settings, loader: &dyn Loader) -> Output {
    assemble_by(job, settings, loader, &mut ())
}

/// Assembles a program with something between the stages.
pub fn assemble_by(
    job: &Job<'_>,
    settings: &Settings,
    loader: &dyn Loader,
    pass: &mut dyn Pass,
) -> Output {
    let output = read_by(job, settings, loader, Limits::WHOLE, pass);
    let mut output = language::explain(job, &settings.linking, loader, output);
    gather::gather(
        &mut output.diagnostics,
        &mut output.left_out,
        &output.sources,
    );
    output
}
