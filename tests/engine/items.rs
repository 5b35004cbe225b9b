//! The program as items: labels and values point at them, also at fixed addresses; what was
//! known while reading takes nobody's place; and items can be others.

use crate::common::{Folder, findings};
use scrimp::diagnostic::Diagnostic;
use scrimp::image::Image;
use scrimp::image::memory::{Bank, Memory, Slot, Window};
use scrimp::place::Layout;
use scrimp::program::item::{Given, What};
use scrimp::program::plan::{Save, Stored};
use scrimp::program::problems::Problems;
use scrimp::program::rewrite::{Edit, NewItem};
use scrimp::program::symbol::Anchor;
use scrimp::program::{Field, Program, Value};
use scrimp::read::hooks::{Asked, Saver};
use scrimp::report::dump;
use scrimp::text::source::{Loader, MemoryLoader, SourceId, Span};
use scrimp::{Job, Output, Pass, Settings};
use std::path::{Path, PathBuf};

fn job(file: &str, target: &str, machine: Option<&str>, dialect: &str) -> Job<'static> {
    let target = scrimp::targets::by_name(target).expect("a target");
    Job {
        file: file.into(),
        target,
        machine: machine.map(|m| target.machine(m).expect("a machine")),
        dialect: dialect.into(),
        defines: Vec::new(),
    }
}

fn build(job: &Job<'_>, loader: &dyn Loader, pass: &mut dyn Pass) -> Output {
    scrimp::assemble_by(job, &Settings::default(), loader, pass)
}

/// A pass that changes the program.
struct Changed<F>(F);

impl<F: FnMut(&mut Program<'_>)> Pass for Changed<F> {
    fn read(&mut self, program: &mut Program<'_>) {
        (self.0)(program);
    }
}

/// Both dumps.
#[derive(Default)]
struct Dumped {
    items: String,
    placement: String,
}

impl Pass for Dumped {
    fn read(&mut self, program: &mut Program<'_>) {
        self.items = dump::items(program);
    }
    fn placed(&mut self, program: &Program<'_>, layout: &Layout) {
        self.placement = dump::placement(program, layout);
    }
}

fn z80(text: &str, pass: &mut dyn Pass) -> Output {
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    build(&job("main.asm", "z80", None, "native"), &loader, pass)
}

fn image(out: Output) -> Image {
    let text = findings(&out);
    out.image.unwrap_or_else(|| panic!("{text}"))
}

/// Values by their expressions alone give the bytes that they give with what was known
/// while reading.
fn same_from_expressions(job: &Job<'_>, loader: &dyn Loader) -> bool {
    let plain = build(job, loader, &mut ());
    let mut values = 0;
    let again = build(
        job,
        loader,
        &mut Changed(|p: &mut Program<'_>| {
            values = p.values.iter().filter(|v| v.state == Given::All).count();
            p.forget_known();
        }),
    );
    let Some(plain) = plain.image else {
        return false;
    };
    let name = &job.file;
    let text = findings(&again);
    let again = again.image.unwrap_or_else(|| panic!("{name}:\n{text}"));
    let bytes = |i: &Image| -> Vec<_> {
        let chunks = i.chunks.iter();
        chunks.map(|c| (c.address, c.bytes.clone())).collect()
    };
    assert_eq!(bytes(&plain), bytes(&again), "{name}");
    values > 0
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).into()
}

#[test]
fn what_was_known_takes_nobodys_place() {
    let mut known = 0;
    for dialect in ["pasmo", "z80asm"] {
        let folder = root().join("tests/dialects").join(dialect);
        let mut names: Vec<String> = std::fs::read_dir(&folder)
            .expect("the goldens")
            .filter_map(|e| e.ok()?.file_name().into_string().ok())
            .filter(|n| n.ends_with(".asm"))
            .collect();
        names.sort();
        for name in names {
            let job = job(&name, "z80", None, dialect);
            known += usize::from(same_from_expressions(&job, &Folder(folder.clone())));
        }
    }
    assert!(known > 20, "{known} sources had values that were known");
}

#[test]
fn shipped_programs_come_from_their_expressions() {
    for (name, main, target, machine) in [
        ("zx81-chess", "chess.asm", "z80", "zx81-1k"),
        ("tinyhouse-zx81", "tinyhouse.asm", "z80", "zx81-1k"),
        ("tinyhouse", "tinyhouse.asm", "avr", "atmega1284p"),
        ("gigatron-chess", "program.asm", "gigatron", "gigatron-32k"),
    ] {
        let folder = Folder(root().join("programs").join(name));
        let job = job(main, target, Some(machine), "native");
        assert!(same_from_expressions(&job, &folder), "{name}");
    }
}

const SOURCE: &str = "        org $8000
size:   equ finish - start
start:  ld a,(table)
        ld b,size
loop:   djnz loop
        jp start
        align 16
table:  db 1, lo(start)
        dw table + 1
finish:
";

#[test]
fn values_at_fixed_addresses_are_expressions() {
    let mut dumped = Dumped::default();
    image(z80(SOURCE, &mut dumped));
    insta::assert_snapshot!(format!("{}\n{}", dumped.items, dumped.placement));
}

#[test]
fn tokens_are_shown_line_by_line() {
    let mut sources = scrimp::text::source::Sources::default();
    let id = sources.add("a.asm", "start: ld a,(5) ; five\n\n db \"x\"\n".to_owned());
    let native = scrimp::dialect::by_name("native").expect("it");
    insta::assert_snapshot!(dump::tokens(&sources, id, native.lexing));
}

fn at(program: &Program<'_>, label: &str) -> Anchor {
    let id = program.symbols.find(label).expect("a label");
    program.symbols.get(id).place.expect("a place")
}

/// The row of a form by its mnemonic and operands.
fn form(program: &Program<'_>, name: &str, operands: &str) -> u16 {
    let is = |f: &scrimp_isa::Form| f.name == name && f.operands == operands;
    program.forms.iter().position(is).expect("a form") as u16
}

#[test]
fn items_become_others_and_all_that_points_at_them_follows() {
    let out = z80(
        SOURCE,
        &mut Changed(|p: &mut Program<'_>| {
            let nop = form(p, "nop", "");
            let start = at(p, "start");
            let jump = Anchor {
                item: at(p, "loop").item + 1,
                ..start
            };
            assert!(matches!(
                p.item(jump).map(|i| i.what),
                Some(What::Instruction { size: 3, .. })
            ));
            // Behind `ld a,(table)` a `nop`, and no `jp start`, but `jr start`.
            let value = p.operands_of(jump)[0];
            let jr = p.forms.iter().position(|f| {
                f.name == "jr" && f.operand_names().count() == 1 && !f.name.starts_with('*')
            });
            let jr = jr.expect("jr") as u16;
            let class = p.forms[usize::from(jr)]
                .operand_names()
                .next()
                .expect("its operand");
            let class = p.operands.iter().position(|o| o.name == class);
            let class = class.expect("a class") as u8;
            let word = p.forms[usize::from(jr)].pattern.fixed;
            let second = Anchor {
                item: start.item + 1,
                ..start
            };
            let edits = vec![
                Edit {
                    at: jump,
                    removed: 1,
                    items: vec![NewItem::Instruction(
                        jr,
                        word,
                        vec![(Field::Class(class), value.value, value.span)],
                    )],
                    labels: Vec::new(),
                    by: "test",
                },
                Edit {
                    at: second,
                    removed: 0,
                    items: vec![NewItem::Instruction(nop, 0, Vec::new())],
                    labels: Vec::new(),
                    by: "test",
                },
            ];
            p.rewrite(edits).expect("edits that do not meet");
            assert_eq!(p.changes.rewrites.len(), 2);
            assert_eq!(p.changes.rewrites[1].replaced.len(), 1);
        }),
    );
    let image = image(out);
    let want = [
        0x3a, 0x10, 0x80, // ld a,(table)
        0x00, // nop
        0x06, 0x14, // ld b,size: 20 with what is aligned
        0x10, 0xfe, // djnz loop
        0x18, 0xf6, // jr start
        0, 0, 0, 0, 0, 0, // align 16
        0x01, 0x00, 0x11, 0x80,
    ];
    assert_eq!(image.binary(0), want);
    let address = |name: &str| {
        let found = image.symbols.iter().find(|s| *s.name == *name);
        found.expect("a symbol").value
    };
    assert_eq!((address("start"), address("loop")), (0x8000, 0x8006));
    assert_eq!((address("finish"), address("size")), (0x8014, 20));
}

#[test]
fn labels_stay_before_what_is_put_in_before_their_item() {
    let out = z80(
        "        org $8000\nfirst:  inc a\nlast:   jp last\nend:\n        dw end\n",
        &mut Changed(|p: &mut Program<'_>| {
            let nop = form(p, "nop", "");
            let new = || vec![NewItem::Instruction(nop, 0, Vec::new())];
            let edit = |at, removed, items| Edit {
                at,
                removed,
                items,
                labels: Vec::new(),
                by: "test",
            };
            let (first, last) = (at(p, "first"), at(p, "last"));
            let meeting = vec![edit(first, 2, Vec::new()), edit(last, 0, new())];
            assert!(p.rewrite(meeting).is_err(), "they meet");
            // `inc a` goes, and its label with what is behind; a `nop` before `jp`.
            p.rewrite(vec![edit(first, 1, Vec::new()), edit(last, 0, new())])
                .expect("edits that do not meet");
            assert_eq!(at(p, "first").item, 0);
        }),
    );
    let image = image(out);
    assert_eq!(image.binary(0), [0x00, 0xc3, 0x00, 0x80, 0x04, 0x80]);
}

/// A pass that changes the program and looks at the layout.
struct Both<F, G>(F, G);

impl<F: FnMut(&mut Program<'_>), G: FnMut(&Program<'_>, &Layout)> Pass for Both<F, G> {
    fn read(&mut self, program: &mut Program<'_>) {
        (self.0)(program);
    }
    fn placed(&mut self, program: &Program<'_>, layout: &Layout) {
        (self.1)(program, layout);
    }
}

fn chunk_of(program: &Program<'_>, label: &str) -> usize {
    at(program, label).chunk as usize
}

#[test]
fn what_runs_elsewhere_is_stored_behind_what_was_before() {
    let source = "        org $8000
one:    dw 1
        org $c000
two:    dw two, 2
        org $9000
three:  dw 3
";
    let out = z80(
        source,
        &mut Both(
            |p: &mut Program<'_>| {
                let (one, two, three) =
                    (chunk_of(p, "one"), chunk_of(p, "two"), chunk_of(p, "three"));
                p.chunks[two].stored = Stored::Behind(one as u32);
                p.chunks[three].stored = Stored::Behind(two as u32);
            },
            |p: &Program<'_>, l: &Layout| {
                let of = |name| {
                    let c = chunk_of(p, name);
                    (l.base[c], l.load[c])
                };
                assert_eq!(of("one"), (0x8000, 0x8000));
                assert_eq!(of("two"), (0xc000, 0x8002));
                assert_eq!(of("three"), (0x9000, 0x8006));
            },
        ),
    );
    let image = image(out);
    let two = image.chunks.iter().find(|c| c.address == 0xc000);
    let two = two.expect("what runs there");
    assert_eq!((two.load, &two.bytes[..2]), (0x8002, &[0x00, 0xc0][..]));
}

const PAGED: &str = "        region low, start = $4000, size = $100
        region window, start = $c000, size = $10
        section always in low
main:   dw first, second, room
        section one in window
first:  ds 12, 1
        section two in window
second: ds 12, 2
        section bare in low
room:   ds 5
last:   db 7
";

fn page(p: &mut Program<'_>) {
    for (label, page) in [("first", 1), ("second", 2)] {
        let c = chunk_of(p, label);
        p.chunks[c].page = page;
    }
}

#[test]
fn pages_lie_over_each_other() {
    // In one memory the second does not fit behind the first.
    assert!(z80(PAGED, &mut ()).image.is_none());
    let image = image(z80(PAGED, &mut Changed(page)));
    let paged: Vec<_> = image.chunks.iter().filter(|c| c.page > 0).collect();
    assert_eq!(paged.len(), 2);
    assert!(paged.iter().all(|c| c.address == 0xc000));
    // What is always there must not lie below a page.
    let out = z80(
        PAGED,
        &mut Changed(|p: &mut Program<'_>| {
            let c = chunk_of(p, "second");
            p.chunks[c].page = 2;
            p.chunks[c].base = Some(0x4000);
        }),
    );
    assert!(findings(&out).contains("overlap"), "{}", findings(&out));
}

#[test]
fn room_may_be_stored_nowhere() {
    let whole = image(z80(PAGED, &mut Changed(page))).stored_len();
    let image = image(z80(
        PAGED,
        &mut Changed(|p: &mut Program<'_>| {
            page(p);
            let c = chunk_of(p, "room");
            p.chunks[c].stored = Stored::Nowhere;
        }),
    ));
    assert_eq!(image.stored_len() + 6, whole);
    let room = image.symbols.iter().find(|s| &*s.name == "room");
    assert_eq!(room.expect("a label").value, 0x4006);
}

/// Answers requests with the bytes that are seen.
#[derive(Default)]
struct Seen(Vec<(String, Vec<u8>)>);

impl Saver for Seen {
    fn ask(&mut self, asked: &Asked<'_>, memory: &mut Memory) -> Vec<Diagnostic> {
        let [start, len] = asked.values[..] else {
            panic!("two values");
        };
        let bytes = memory.read(asked.window, start as u64, len as usize);
        self.0.push((format!("{start:X}"), bytes));
        self.0.push(("written".into(), asked.written.to_vec()));
        Vec::new()
    }
    fn size(&self) -> usize {
        0
    }
    fn finish(self: Box<Self>) -> Vec<(String, Vec<u8>)> {
        self.0
    }
}

#[test]
fn a_file_has_the_memory_as_it_is_at_its_line() {
    let mut files = Vec::new();
    let mut pass = Both(
        |p: &mut Program<'_>| {
            let bank = Bank {
                size: 0x4000,
                pages: 5,
                filled: vec![(1, 0x20, vec![9])],
            };
            p.asked.saves.banks.push(bank);
            for upper in [3, 4] {
                let slot = |page| Slot {
                    page,
                    onward: false,
                };
                p.asked.saves.windows.push(Window {
                    bank: 1,
                    slots: [0, 1, 2, upper].map(slot).to_vec(),
                });
            }
            let second = chunk_of(p, "second");
            for (c, chunk) in p.chunks.iter_mut().enumerate() {
                chunk.window = if c == second { 2 } else { 1 };
                chunk.page = chunk.window;
            }
            let last = at(p, "last");
            for window in [1, 2] {
                for (start, len) in [(0x4000, 14), (0xc000, 4)] {
                    p.asked.saves.list.push(Save {
                        what: 0,
                        texts: Vec::new(),
                        values: [start, len].map(Value::Number).to_vec(),
                        contents: Vec::new(),
                        window,
                        since: Some(at(p, "room")),
                        until: last,
                        span: Span::new(SourceId(0), 0, 0),
                        expansion: u32::MAX,
                    });
                }
            }
        },
        |p: &Program<'_>, l: &Layout| {
            let values = p.final_values(l);
            let (built, _) = scrimp::emit::bytes(p, l, &values);
            let source = scrimp::emit::saved::Source {
                program: p,
                layout: l,
                values: &values,
                built: &built,
            };
            let mut problems = Problems::default();
            files = scrimp::emit::saved::files(&source, Box::new(Seen::default()), &mut problems);
            assert_eq!(problems.errors(), 0);
        },
    );
    image(z80(PAGED, &mut pass));
    // The byte behind `last` is not there yet.
    let low = [0x00, 0xc0, 0x00, 0xc0, 0x06, 0x40, 0, 0, 0, 0, 0, 0, 0, 0];
    for (i, upper) in [1, 2].into_iter().enumerate() {
        assert_eq!(files[4 * i].1, low);
        assert_eq!(files[4 * i + 2].1, [upper; 4]);
        assert_eq!(files[4 * i + 1].1, [0; 5]);
    }
}

#[test]
fn a_chunk_that_goes_around_memory_is_cut_where_memory_ends() {
    // Three bytes a line, so that ends of memory lie between the bytes of a line too.
    let lines = 50_000;
    let text = "        org 65530\n".to_owned() + &"        db 1,2,3\n".repeat(lines);
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let output = build(&job("main.asm", "z80", None, "pasmo"), &loader, &mut ());
    let image = output.image.expect("an image");
    let full = image.chunks.iter().filter(|c| !c.bytes.is_empty());
    let parts = full.map(|c| (c.address, c.bytes.len()));
    let rest = 3 * lines - 6 - 2 * 65_536;
    assert_eq!(
        parts.collect::<Vec<_>>(),
        [(65_530, 6), (0, 65_536), (0, 65_536), (0, rest)]
    );
    let mut spans = Vec::new();
    for chunk in &image.chunks {
        let mut at = 0;
        for run in &chunk.runs {
            assert_eq!(run.offset, at);
            at += run.len;
            spans.extend(std::iter::repeat_n(run.span.start, run.len as usize));
        }
        assert_eq!(at as usize, chunk.bytes.len());
    }
    // Each line has its three bytes, in order, whatever parts they lie in.
    let bytes = image.chunks.iter().flat_map(|c| c.bytes.iter().copied());
    assert!(bytes.eq([1, 2, 3].into_iter().cycle().take(3 * lines)));
    assert!(spans.chunks(3).all(|s| s[0] == s[1] && s[1] == s[2]));
    spans.dedup();
    assert_eq!(spans.len(), lines);
}

/// Room in memory that lies over other memory ends at the same address when that has its own
/// addresses and when it has not.
#[test]
fn room_in_a_part_over_others_follows_it() {
    let text =
        " org #6000\nunder: ld a,3\n ret\n org #6000\nbank: ld a,4\n ret\ntwo: ld a,6\n ret\n";
    let loader = MemoryLoader::default().with("main.asm", text.as_bytes());
    let job = job("main.asm", "z80", None, "sjasmplus");
    let plain = image(build(&job, &loader, &mut ()));
    let mut held = 0;
    let mut hold = |p: &mut Program<'_>| {
        let chunks = p.chunks.iter();
        let all: Vec<(u64, u64)> = chunks
            .map(|c| (c.base.unwrap_or(0), c.size.into()))
            .collect();
        let lifts = p.lift(&all).expect("memories");
        let two = at(p, "two");
        assert!(p.is_lifted(two.chunk));
        let base = p.chunks[two.chunk as usize].base.expect("a base");
        p.hold(two, (base + 3) as u32);
        held += 1;
        p.lower(&lifts);
    };
    let again = image(build(&job, &loader, &mut Changed(&mut hold)));
    assert_eq!(held, 1);
    assert_eq!(plain.binary(0), again.binary(0));
}
