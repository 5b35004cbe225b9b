//! `scrimp dump`: what the assembler has between its stages.

use super::args::{DumpArgs, DumpKind};
use super::failure::Failure;
use super::{job, program, terminal::Terminal};
use crate::Pass;
use crate::dialect;
use crate::place::Layout;
use crate::program::Program;
use crate::report::dump;
use crate::text::source::{Loader, Sources};

/// Prints the result of a stage.
pub fn dump(args: &DumpArgs, terminal: &Terminal) -> Result<(), Failure> {
    let mut source = program::find_source(&args.program, terminal)?;
    if args.what == DumpKind::Tokens {
        let Some(dialect) = dialect::by_name(&source.dialect) else {
            return Err(Failure::Failed(format!("no dialect {}", source.dialect)));
        };
        let (name, bytes) = source.loader.load(&source.main, None).map_err(|_| {
            let message = format!("{} cannot be read", source.main);
            Failure::Failed(message)
        })?;
        let mut sources = Sources::default();
        let id = sources.add(name, String::from_utf8_lossy(&bytes).into_owned());
        return terminal.print(&dump::tokens(&sources, id, dialect.lexing));
    }
    let mut shown = Shown {
        what: args.what,
        text: String::new(),
    };
    job::build_by(&mut source, terminal, &mut shown)?;
    terminal.print(&shown.text)
}

/// Keeps what is to be shown.
struct Shown {
    what: DumpKind,
    text: String,
}

impl Pass for Shown {
    fn read(&mut self, program: &mut Program<'_>) {
        if self.what == DumpKind::Items {
            self.text = dump::items(program);
        }
    }

    fn placed(&mut self, program: &Program<'_>, layout: &Layout) {
        if self.what == DumpKind::Placement {
            self.text = dump::placement(program, layout);
        }
    }
}
