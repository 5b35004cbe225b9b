//! How many bytes each section and routine has.

use crate::image::origin::{NO_LABEL, Piece, file_name, pieces, section_name};
use crate::image::{Chunk, Class, Image, NONE};
use crate::text::source::Sources;
use rustc_hash::FxHashMap;
use scrimp_isa::Target;
use serde::{Deserialize, Serialize};

/// Number of the JSON schema; it changes when a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// Bytes by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytes {
    /// Of instructions.
    pub code: u64,
    /// Of data directives and binary files.
    pub data: u64,
    /// Room that the source asked for.
    pub space: u64,
    /// Put in by alignment.
    pub padding: u64,
}

impl Bytes {
    /// The sum.
    pub fn total(self) -> u64 {
        self.code + self.data + self.space + self.padding
    }
    /// In the order code, data, space, padding.
    pub fn each(self) -> [u64; 4] {
        [self.code, self.data, self.space, self.padding]
    }
    fn add(&mut self, class: Class, n: u64) {
        *match class {
            Class::Code => &mut self.code,
            Class::Data => &mut self.data,
            Class::Space => &mut self.space,
            Class::Padding => &mut self.padding,
        } += n;
    }
}

/// A section's bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionSize {
    /// Its name, `""` before any `section`.
    pub name: String,
    /// The region it lies in.
    pub region: Option<String>,
    /// Its address space, where the target has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// It only has room: its bytes do not come with the program.
    #[serde(default, skip_serializing_if = "is_false")]
    pub room: bool,
    /// Bytes by class.
    #[serde(flatten)]
    pub bytes: Bytes,
    /// Their sum.
    pub total: u64,
}

/// The bytes from a plain label to the next in a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoutineSize {
    /// The label; `None` for what stands before the first of its section.
    pub name: Option<String>,
    /// Its section.
    pub section: String,
    /// Its address space, where the target has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// It only has room: its bytes do not come with the program.
    #[serde(default, skip_serializing_if = "is_false")]
    pub room: bool,
    /// Lowest address of its bytes, as people write it.
    pub address: u64,
    /// Bytes by class.
    #[serde(flatten)]
    pub bytes: Bytes,
    /// Their sum.
    pub total: u64,
    /// Clock cycles of all its instructions, each once: shortest and longest.
    pub cycles: (u64, u64),
    /// File of the label.
    pub file: Option<String>,
    /// Line of the label.
    pub line: Option<usize>,
}

impl RoutineSize {
    /// The name for people.
    pub fn shown_name(&self) -> String {
        match &self.name {
            Some(n) => n.clone(),
            None if self.section.is_empty() => NO_LABEL.into(),
            None => format!("{NO_LABEL} in {}", self.section),
        }
    }
}

/// An address space of the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceSize {
    /// Its name.
    pub name: String,
    /// Bytes.
    pub bytes: u64,
    /// It only has room: its bytes do not come with the program.
    pub room: bool,
}

/// For fields that are left out.
fn is_false(b: &bool) -> bool {
    !b
}

/// Consecutive bytes of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// First address.
    pub address: u64,
    /// Bytes.
    pub length: u64,
    /// Section.
    pub section: String,
}

/// A region and what is used of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionSize {
    /// Its name; `(memory)` stands for the span from the first to the last byte
    /// where there are no regions.
    pub name: String,
    /// First address.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    /// First and last address as people write them, where those are others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<(u64, u64)>,
    /// Addresses that have a byte.
    pub used: u64,
    /// Addresses that have none.
    pub free: u64,
    /// What lies in it, by address.
    pub extents: Vec<Extent>,
}

/// How many bytes each section and routine has. The totals of the sections and
/// those of the routines that do not only have room both add up to
/// [`total`](Self::total), the bytes that come with the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// [`SCHEMA`]
    pub schema: u32,
    /// Program.
    pub name: String,
    /// Bytes that come with the program.
    pub total: u64,
    /// The address spaces with bytes, where the target has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spaces: Vec<SpaceSize>,
    /// Regions that the image has bytes in.
    pub regions: Vec<RegionSize>,
    /// Bytes that lie in no region, where there are regions.
    pub outside: u64,
    /// Sections with bytes, in order of appearance.
    pub sections: Vec<SectionSize>,
    /// Routines, the largest first.
    pub routines: Vec<RoutineSize>,
}

/// Why a text is no size report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizesError(String);

impl std::fmt::Display for SizesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "this is no size report: {}", self.0)
    }
}

impl std::error::Error for SizesError {}

impl RegionSize {
    /// First and last address as people write them.
    pub fn ends(&self) -> (u64, u64) {
        let linear = (self.start, self.start + self.size.max(1) - 1);
        self.written.unwrap_or(linear)
    }
}

impl Sizes {
    /// Measures an image.
    pub fn of(name: &str, image: &Image, sources: &Sources, target: &dyn Target) -> Self {
        let mut sections = sections(image);
        sections.retain(|s| s.total > 0);
        let mut routines = routines(image, sources, target);
        routines.retain(|r| r.total > 0);
        routines.sort_by(|a, b| {
            let order = b.total.cmp(&a.total).then(a.address.cmp(&b.address));
            order.then_with(|| a.name.cmp(&b.name))
        });
        let (regions, outside) = regions(image);
        Self {
            schema: SCHEMA,
            name: name.to_owned(),
            total: image.stored_len() as u64,
            spaces: spaces(image),
            regions,
            outside,
            sections,
            routines,
        }
    }

    /// Bytes of all that comes with the program by class.
    pub fn classes(&self) -> Bytes {
        let stored = self.sections.iter().filter(|s| !s.room);
        stored.fold(Bytes::default(), |a, s| Bytes {
            code: a.code + s.bytes.code,
            data: a.data + s.bytes.data,
            space: a.space + s.bytes.space,
            padding: a.padding + s.bytes.padding,
        })
    }

    /// As JSON text, indented, with an end of line.
    pub fn to_json(&self) -> String {
        let mut out = serde_json::to_string_pretty(self).expect("plain data");
        out.push('\n');
        out
    }

    /// Reads what [`to_json`](Self::to_json) has written.
    ///
    /// # Errors
    /// When it is something else or of another schema.
    pub fn from_json(text: &str) -> Result<Self, SizesError> {
        #[derive(Deserialize)]
        struct Head {
            schema: u32,
        }
        let fault = |e: serde_json::Error| SizesError(e.to_string());
        let head: Head = serde_json::from_str(text).map_err(fault)?;
        if head.schema != SCHEMA {
            let why = format!("its schema is {}, {SCHEMA} is known", head.schema);
            return Err(SizesError(why));
        }
        serde_json::from_str(text).map_err(fault)
    }
}

/// The name of the address space there, where there are several.
fn space_name(image: &Image, at: u64) -> Option<String> {
    let several = image.spaces.len() > 1;
    let space = image.space_of(at).filter(|_| several);
    space.map(|s| s.name.to_owned())
}

/// All sections, also those without bytes.
fn sections(image: &Image) -> Vec<SectionSize> {
    let mut sections: Vec<SectionSize> = image
        .sections
        .iter()
        .map(|s| SectionSize {
            name: s.name.clone(),
            region: image.regions.get(s.region as usize).map(|r| r.name.clone()),
            memory: None,
            room: false,
            bytes: Bytes::default(),
            total: 0,
        })
        .collect();
    for c in image.chunks.iter().filter(|c| !c.bytes.is_empty()) {
        let s = &mut sections[c.section as usize];
        s.memory = space_name(image, c.address);
        s.room = !image.comes_with(c);
    }
    for p in pieces(image) {
        let n = u64::from(p.run.len);
        sections[p.chunk.section as usize].bytes.add(p.run.class, n);
    }
    for s in &mut sections {
        s.total = s.bytes.total();
    }
    sections
}

/// The address spaces with bytes, where there are several. What runs elsewhere than it
/// is stored takes room in both.
fn spaces(image: &Image) -> Vec<SpaceSize> {
    let mut spaces: Vec<SpaceSize> = Vec::new();
    for c in image.chunks.iter().filter(|c| !c.bytes.is_empty()) {
        let n = c.bytes.len() as u64;
        for (at, room) in places(image, c).zip([!image.comes_with(c), true]) {
            let Some(name) = space_name(image, at) else {
                continue;
            };
            match spaces.iter_mut().find(|s| s.name == name) {
                Some(space) => space.bytes += n,
                None => spaces.push(SpaceSize {
                    name,
                    bytes: n,
                    room,
                }),
            }
        }
    }
    spaces.sort_by_key(|s| image.spaces.iter().position(|of| of.name == s.name));
    spaces
}

/// All routines in order of appearance, also those without bytes.
fn routines(image: &Image, sources: &Sources, target: &dyn Target) -> Vec<RoutineSize> {
    let forms = target.forms();
    let machine = image.machine.as_deref().and_then(|m| target.machine(m));
    let mut routines: Vec<RoutineSize> = Vec::new();
    let mut found: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    // Most runs belong to the routine of the run before.
    let mut last = ((NONE, NONE), usize::MAX);
    for p in pieces(image) {
        let key = (p.run.owner, p.chunk.section);
        if last.0 != key || last.1 == usize::MAX {
            let i = *found.entry(key).or_insert_with(|| {
                routines.push(routine(image, sources, &p));
                routines.len() - 1
            });
            last = (key, i);
        }
        let r = &mut routines[last.1];
        r.bytes.add(p.run.class, u64::from(p.run.len));
        r.address = r.address.min(image.local(p.address()));
        if let Some(f) = forms.get(p.run.form as usize) {
            let own = machine.and_then(|m| m.cycles(p.run.form as u16));
            let cycles = own.unwrap_or(f.cycles);
            r.cycles.0 += u64::from(cycles.min());
            r.cycles.1 += u64::from(cycles.max());
        }
    }
    for r in &mut routines {
        r.total = r.bytes.total();
    }
    routines
}

/// The routine that begins with this run, still without its bytes.
fn routine(image: &Image, sources: &Sources, p: &Piece) -> RoutineSize {
    let span = p.owner.and_then(|o| o.span);
    RoutineSize {
        name: p.owner.map(|o| o.name.to_string()),
        section: p.section.name.clone(),
        memory: space_name(image, p.address()),
        room: !image.comes_with(p.chunk),
        address: image.local(p.address()),
        bytes: Bytes::default(),
        total: 0,
        cycles: (0, 0),
        file: span.map(|s| file_name(sources, s.source).to_owned()),
        line: span.map(|s| sources.get(s.source).line_column(s.start).0),
    }
}

/// Linear addresses of a chunk: where it is stored, and where it runs if that is in
/// another space.
fn places(image: &Image, c: &Chunk) -> impl Iterator<Item = u64> {
    let space = |at| image.space_of(at).map(|s| s.base);
    let apart = space(c.load) != space(c.address);
    let first = if apart { c.load } else { c.address };
    std::iter::once(first).chain(apart.then_some(c.address))
}

/// Extents of all chunks by address; an address counts once, for the last chunk.
fn extents(image: &Image) -> Vec<Extent> {
    let filled = image.chunks.iter().filter(|c| !c.bytes.is_empty());
    let mut chunks: Vec<(u64, &Chunk)> = filled
        .flat_map(|c| places(image, c).map(move |at| (at, c)))
        .collect();
    chunks.sort_by_key(|c| c.0);
    let mut out: Vec<Extent> = Vec::new();
    let mut end = 0;
    for (at, c) in chunks {
        let to = at + c.bytes.len() as u64;
        let from = at.max(end);
        if from >= to {
            continue;
        }
        end = to;
        let section = section_name(&image.sections[c.section as usize].name);
        match out.last_mut() {
            Some(e) if e.section == section && e.address + e.length == from => {
                e.length += to - from;
            }
            _ => out.push(Extent {
                address: from,
                length: to - from,
                section: section.to_owned(),
            }),
        }
    }
    out
}

fn regions(image: &Image) -> (Vec<RegionSize>, u64) {
    let all = extents(image);
    let cut = |name: &str, start: u64, size: u64| {
        let end = start + size;
        let inside: Vec<Extent> = all
            .iter()
            .filter_map(|e| {
                let from = e.address.max(start);
                let to = (e.address + e.length).min(end);
                (from < to).then(|| Extent {
                    address: from,
                    length: to - from,
                    section: e.section.clone(),
                })
            })
            .collect();
        let used = inside.iter().map(|e| e.length).sum::<u64>();
        let ends = (start, start + size.max(1) - 1);
        let written = (image.local(ends.0), image.local(ends.1));
        RegionSize {
            name: name.to_owned(),
            start,
            size,
            written: (written != ends).then_some(written),
            used,
            free: size - used,
            extents: inside,
        }
    };
    if image.regions.is_empty() {
        let (Some(first), Some(last)) = (all.first(), all.last()) else {
            return (Vec::new(), 0);
        };
        let size = last.address + last.length - first.address;
        return (vec![cut("(memory)", first.address, size)], 0);
    }
    let list: Vec<RegionSize> = image
        .regions
        .iter()
        .map(|r| cut(&r.name, r.start, r.size))
        .filter(|r| r.used > 0)
        .collect();
    // An address in no region; regions may lie in each other.
    let outside = all
        .iter()
        .map(|e| {
            let end = e.address + e.length;
            let mut free = vec![(e.address, end)];
            for r in &image.regions {
                let (from, to) = (r.start, r.start + r.size);
                if from >= end || to <= e.address {
                    continue;
                }
                free = free
                    .into_iter()
                    .flat_map(|(a, b)| [(a, b.min(from)), (a.max(to), b)])
                    .filter(|(a, b)| a < b)
                    .collect();
            }
            free.iter().map(|(a, b)| b - a).sum::<u64>()
        })
        .sum();
    (list, outside)
}
