//! A hand-made image with one of everything, for the tests of writers and reports.
//!
//! It needs no assembler, so a fault there cannot hide one here. The rows of the
//! instruction table are looked up by what they are, not by number.

use crate::image::*;
use crate::text::source::{SourceId, Sources, Span};
use scrimp_isa::Target;

/// What a test needs.
pub struct Example {
    pub image: Image,
    pub sources: Sources,
    pub target: &'static dyn Target,
}

const MAIN: &str = "\
; a demonstration
\tinclude \"lib.asm\"
ROWS:\tequ 24
\tsection code in ram
start:\tld a,ROWS
.loop:\tput 7\t\t; twice
\tput 8
\trepeat 2
\tnop
\tendr
\tjr nz,.loop
draw:\tret
\tsection tables in ram
board:\tdb 1,2,3,4,5,6,7,8,9,10
\tds 100
\talign 16
last:\tdb \"A\"
";
const LIB: &str = "\
; macros
put:\tmacro n
\tld b,n
\tendm
";

impl Example {
    /// The context for a writer.
    pub fn context(&self) -> super::Context<'_> {
        super::Context {
            name: "demo",
            image: &self.image,
            sources: &self.sources,
            target: self.target,
            machine: None,
            clock: None,
        }
    }
}

/// Span of the `n`-th (from 0) place where `text` stands.
fn find(sources: &Sources, id: SourceId, text: &str, n: usize) -> Span {
    let (at, _) = sources
        .get(id)
        .text
        .match_indices(text)
        .nth(n)
        .expect("text is there");
    Span::new(id, at as u32, (at + text.len()) as u32)
}

fn symbol(name: &str, value: i64, span: Span, section: u32) -> Symbol {
    Symbol {
        name: name.into(),
        value,
        kind: if section == NONE {
            SymbolKind::Constant
        } else {
            SymbolKind::Label
        },
        local: name.contains('.'),
        address: (section != NONE).then_some(value as u64),
        span: Some(span),
        section,
        used: name != "draw",
    }
}

/// Two calls of the macro and the rounds of a loop.
fn expansions(at: &dyn Fn(&str, usize) -> Span) -> Vec<Expansion> {
    let put = || ExpansionKind::Macro("put".into());
    [
        (put(), at("put 7", 0)),
        (put(), at("put 8", 0)),
        (ExpansionKind::Repeat(0), at("repeat 2", 0)),
        (ExpansionKind::Repeat(1), at("repeat 2", 0)),
    ]
    .into_iter()
    .map(|(kind, call)| Expansion {
        kind,
        call,
        parent: NONE,
    })
    .collect()
}

/// Bytes of a chunk with what they come from: span, expansion, owner, class.
type Piece = (Vec<u8>, Span, u32, u32, Class);

/// A chunk of these pieces.
fn chunk(section: u32, address: u64, pieces: &[Piece], target: &dyn Target) -> Chunk {
    let mut chunk = Chunk {
        section,
        address,
        load: address,
        page: 0,
        bare: false,
        nowhere: false,
        bytes: Vec::new(),
        runs: Runs::default(),
    };
    for (bytes, span, expansion, owner, class) in pieces {
        let form = match class {
            Class::Code => {
                let d = target.decode(bytes, 0).expect("an instruction");
                assert_eq!(d.len as usize, bytes.len());
                d.form as u32
            }
            _ => NONE,
        };
        chunk.runs.push(Run {
            offset: chunk.bytes.len() as u32,
            len: bytes.len() as u32,
            span: *span,
            expansion: *expansion,
            owner: *owner,
            form,
            class: *class,
        });
        chunk.bytes.extend_from_slice(bytes);
    }
    chunk
}

/// Builds it.
pub fn example() -> Example {
    let target = crate::targets::default();
    let mut sources = Sources::default();
    let main = sources.add("demo.asm", MAIN);
    let lib = sources.add("lib.asm", LIB);
    let at = |text: &str, n: usize| find(&sources, main, text, n);
    let body = find(&sources, lib, "ld b,n", 0);
    let nop = at("nop", 0);
    let branch = at("jr nz,.loop", 0);
    let code = [
        (vec![0x3E, 24], at("ld a,ROWS", 0), NONE, 1, Class::Code),
        (vec![0x06, 7], body, 0, 1, Class::Code),
        (vec![0x06, 8], body, 1, 1, Class::Code),
        (vec![0x00], nop, 2, 1, Class::Code),
        (vec![0x00], nop, 3, 1, Class::Code),
        (vec![0x20, 0xF8], branch, NONE, 1, Class::Code),
        (vec![0xC9], at("ret", 0), NONE, 3, Class::Code),
    ];
    let ten = (1..=10).collect();
    let tables = [
        (ten, at("db 1", 0), NONE, 4, Class::Data),
        (vec![0; 100], at("ds 100", 0), NONE, 4, Class::Space),
        (vec![0; 2], at("align 16", 0), NONE, 4, Class::Padding),
        (vec![b'A'], at("db \"A\"", 0), NONE, 5, Class::Data),
    ];
    let section = |name: &str, n| Section {
        name: name.into(),
        region: 0,
        span: Some(at(&format!("section {name}"), n)),
    };
    let image = Image {
        sections: vec![section("code", 0), section("tables", 0)],
        chunks: vec![
            chunk(0, 0x4082, &code, target),
            chunk(1, 0x40A0, &tables, target),
        ],
        regions: vec![Region {
            name: "ram".into(),
            start: 0x4009,
            size: 1015,
        }],
        symbols: vec![
            symbol("ROWS", 24, at("ROWS:", 0), NONE),
            symbol("start", 0x4082, at("start:", 0), 0),
            symbol("start.loop", 0x4084, at(".loop:", 0), 0),
            symbol("draw", 0x408C, at("draw:", 0), 0),
            symbol("board", 0x40A0, at("board:", 0), 1),
            symbol("last", 0x4110, at("last:", 0), 1),
        ],
        expansions: expansions(&at),
        entry: Some(0x4082),
        ..Image::default()
    };
    Example {
        image,
        sources,
        target,
    }
}
