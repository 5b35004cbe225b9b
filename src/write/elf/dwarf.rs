//! DWARF 4: one compile unit for the program, a row of the line program for each
//! instruction, a subprogram for each routine.
//!
//! Paths are as in the other files: relative to the folder of the main source, with
//! `.` for that folder, so nothing tells where the program was built.

use super::super::context::Context;
use super::symbols::extents;
use crate::image::origin::{file_name, pieces, written};
use crate::image::{NONE, Run};
use crate::text::source::{SourceId, Span};
use gimli::write::{
    Address, AttributeValue, DwarfUnit, EndianVec, FileId, LineProgram, LineString, Range,
    RangeList, Sections,
};
use gimli::{Encoding, Format, LineEncoding, LittleEndian};
use std::collections::BTreeMap;

const ENCODING: Encoding = Encoding {
    format: Format::Dwarf32,
    version: 4,
    address_size: 4,
};

/// An instruction: address, end, place in a file.
struct Step {
    start: u64,
    end: u64,
    source: SourceId,
    line: usize,
}

/// The sections with bytes; none for a program without instructions.
pub fn sections(c: &Context<'_>) -> Vec<(&'static str, Vec<u8>)> {
    let steps = steps(c);
    let Some((main, _)) = c.sources.iter().next().filter(|_| !steps.is_empty()) else {
        return Vec::new();
    };
    let name = name(c, main);
    let text = |s: &str| LineString::String(s.as_bytes().to_vec());
    let program = LineProgram::new(
        ENCODING,
        LineEncoding::default(),
        text("."),
        None,
        text(&name),
        None,
    );
    let mut dwarf = DwarfUnit::new(ENCODING);
    dwarf.unit.line_program = program;
    let mut files: BTreeMap<u32, FileId> = BTreeMap::new();
    let folder = dwarf.unit.line_program.default_directory();
    let used = steps.iter().map(|s| s.source);
    let labels = c.image.symbols.iter().filter_map(|s| s.span);
    let labels = labels.map(|s| c.sources.in_file(s).source);
    for source in std::iter::once(main).chain(used).chain(labels) {
        files.entry(source.0).or_insert_with(|| {
            let name = self::name(c, source);
            dwarf.unit.line_program.add_file(text(&name), folder, None)
        });
    }
    let ranges = lines(&mut dwarf.unit.line_program, &steps, &files);
    unit(&mut dwarf, &name, &ranges);
    routines(c, &mut dwarf, &files);
    let mut sections = Sections::new(EndianVec::new(LittleEndian));
    // Into memory, with addresses that are numbers: nothing here can fail.
    if dwarf.write(&mut sections).is_err() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let all: Result<(), ()> = sections.for_each(|id, data| {
        if !data.slice().is_empty() {
            out.push((id.name(), data.slice().to_vec()));
        }
        Ok(())
    });
    debug_assert!(all.is_ok());
    out
}

/// Name of a source, as the line table can hold it.
fn name(c: &Context<'_>, source: SourceId) -> String {
    let name = file_name(c.sources, source).replace('\0', "_");
    if name.is_empty() { "_".into() } else { name }
}

fn place(c: &Context<'_>, run: &Run) -> Span {
    c.sources.in_file(written(c.image, run))
}

/// All instructions by address, each byte once.
fn steps(c: &Context<'_>) -> Vec<Step> {
    let mut out: Vec<Step> = pieces(c.image)
        .filter(|p| p.run.form != NONE && p.run.len > 0)
        .map(|p| {
            let at = place(c, &p.run);
            Step {
                start: p.address(),
                end: p.address() + u64::from(p.run.len),
                source: at.source,
                line: c.sources.get(at.source).line_column(at.start).0,
            }
        })
        .filter(|s| s.end <= 1 << 32)
        .collect();
    out.sort_by_key(|s| s.start);
    let mut end = 0;
    out.retain(|s| {
        let apart = s.start >= end;
        end = end.max(s.end);
        apart
    });
    out
}

/// Rows for all instructions; returns the ranges that they fill.
fn lines(
    program: &mut LineProgram,
    steps: &[Step],
    files: &BTreeMap<u32, FileId>,
) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for (i, s) in steps.iter().enumerate() {
        if i == 0 || steps[i - 1].end != s.start {
            program.begin_sequence(Some(Address::Constant(s.start)));
            ranges.push((s.start, s.end));
        }
        let first = ranges.last().map_or(s.start, |r| r.0);
        if let Some(file) = files.get(&s.source.0) {
            let row = program.row();
            row.address_offset = s.start - first;
            row.file = *file;
            row.line = s.line as u64;
            row.is_statement = true;
            program.generate_row();
        }
        if let Some(r) = ranges.last_mut() {
            r.1 = s.end;
        }
        if steps.get(i + 1).is_none_or(|n| n.start != s.end) {
            program.end_sequence(s.end - first);
        }
    }
    ranges
}

fn unit(dwarf: &mut DwarfUnit, name: &str, ranges: &[(u64, u64)]) {
    let text = |s: &str| AttributeValue::String(s.as_bytes().to_vec());
    let list = RangeList(
        ranges
            .iter()
            .map(|&(start, end)| Range::StartEnd {
                begin: Address::Constant(start),
                end: Address::Constant(end),
            })
            .collect(),
    );
    let id = (ranges.len() > 1).then(|| dwarf.unit.ranges.add(list));
    let root = dwarf.unit.root();
    let root = dwarf.unit.get_mut(root);
    root.set(gimli::DW_AT_producer, text("scrimp"));
    root.set(
        gimli::DW_AT_language,
        AttributeValue::Language(gimli::DW_LANG_Mips_Assembler),
    );
    root.set(gimli::DW_AT_name, text(name));
    root.set(gimli::DW_AT_comp_dir, text("."));
    let low = if id.is_some() { 0 } else { ranges[0].0 };
    root.set(
        gimli::DW_AT_low_pc,
        AttributeValue::Address(Address::Constant(low)),
    );
    match id {
        Some(id) => root.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(id)),
        None => root.set(
            gimli::DW_AT_high_pc,
            AttributeValue::Udata(ranges[0].1 - ranges[0].0),
        ),
    }
    root.set(gimli::DW_AT_stmt_list, AttributeValue::LineProgramRef);
}

/// A subprogram for each plain label that an instruction follows.
fn routines(c: &Context<'_>, dwarf: &mut DwarfUnit, files: &BTreeMap<u32, FileId>) {
    for (s, extent) in c.image.symbols.iter().zip(extents(c)) {
        let (Some(e), Some(span)) = (extent.filter(|e| e.code), s.span) else {
            continue;
        };
        if s.local || s.address != Some(e.start) || e.end > 1 << 32 {
            continue;
        }
        let span = c.sources.in_file(span);
        let root = dwarf.unit.root();
        let id = dwarf.unit.add(root, gimli::DW_TAG_subprogram);
        let entry = dwarf.unit.get_mut(id);
        let name = s.name.replace('\0', "_").into_bytes();
        entry.set(gimli::DW_AT_name, AttributeValue::String(name));
        let file = files.get(&span.source.0).copied();
        entry.set(gimli::DW_AT_decl_file, AttributeValue::FileIndex(file));
        let line = c.sources.get(span.source).line_column(span.start).0;
        entry.set(gimli::DW_AT_decl_line, AttributeValue::Udata(line as u64));
        entry.set(
            gimli::DW_AT_low_pc,
            AttributeValue::Address(Address::Constant(e.start)),
        );
        entry.set(gimli::DW_AT_high_pc, AttributeValue::Udata(e.end - e.start));
        entry.set(gimli::DW_AT_external, AttributeValue::Flag(true));
    }
}
