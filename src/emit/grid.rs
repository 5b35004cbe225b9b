//! Sections that lie in cells of tables in columns.

use super::Emit;
use crate::diagnostic::{Diagnostic, codes};
use crate::image::Image;

impl Emit<'_> {
    /// Reports sections that lie in cells of tables.
    pub(super) fn check_grid(&mut self, image: &Image) {
        let Some(grid) = self.program.target.grid() else {
            return;
        };
        let columns = u64::from(grid.columns);
        let end = grid.base + u64::from(grid.pages) * columns;
        let mut found = Vec::new();
        for c in &image.chunks {
            let range = c.address..c.address + c.bytes.len() as u64;
            if c.bytes.is_empty() || range.end <= grid.base || range.start >= end {
                continue;
            }
            for g in &image.grid {
                let hit = range.clone().find(|a| {
                    let a = a - grid.base;
                    g.has((a / columns) as u16, (a % columns) as u16)
                });
                if let Some(a) = hit {
                    let name = &image.sections[c.section as usize].name;
                    let message = format!(
                        "the section `{name}` lies in `{}` at ${:04X}",
                        g.name,
                        a - grid.base
                    );
                    let common = range.clone().filter(|a| {
                        let a = a - grid.base;
                        g.has((a / columns) as u16, (a % columns) as u16)
                    });
                    let common = match common.count() {
                        1 => "one byte".to_owned(),
                        n => format!("{n} bytes"),
                    };
                    let mut d = Diagnostic::new(codes::OVERLAP, message)
                        .label(format!("{common} in common"))
                        .related(g.span, "the table")
                        .help("tables do not know of sections: `reserve` the section's cells above them, or give the section a region that no table needs");
                    d.span = c.runs.first().map(|r| r.span);
                    found.push(d);
                }
            }
        }
        self.problems.all(found);
    }
}
