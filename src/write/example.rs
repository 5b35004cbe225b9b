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

/// Builds it.
pub fn example() -> Example {
    let target = crate::targets::default();
    let form = |bytes: &[u8]| {
        let d = target.decode(bytes, 0).expect("an instruction");
        assert_eq!(d.len as usize, bytes.len());
        d.form as u32
    };
    let mut sources = Sources::default();
    let main = sources.add("demo.asm", MAIN);
    let lib = sources.add("lib.asm", LIB);
    let at = |text: &str, n: usize| find(&sources, main, text, n);
    let body = find(&sources, lib, "ld b,n", 0);
    let expansions = vec![
        Expansion {
            kind: ExpansionKind::Macro("put".into()),
            call: at("put 7", 0),
            parent: NONE,
        },
        Expansion {
            kind: ExpansionKind::Macro("put".into()),
            call: at("put 8", 0),
            parent: NONE,
        },
        Expansion {
            kind: ExpansionKind::Repeat(0),
            call: at("repeat 2", 0),
            parent: NONE,
        },
        Expansion {
            kind: ExpansionKind::Repeat(1),
            call: at("repeat 2", 0),
            parent: NONE,
        },
    ];
    let nop = at("nop", 0);
    let code: [(&[u8], Span, u32, u32); 7] = [
        (&[0x3E, 24], at("ld a,ROWS", 0), NONE, 1),
        (&[0x06, 7], body, 0, 1),
        (&[0x06, 8], body, 1, 1),
        (&[0x00], nop, 2, 1),
        (&[0x00], nop, 3, 1),
        (&[0x20, 0xF8], at("jr nz,.loop", 0), NONE, 1),
        (&[0xC9], at("ret", 0), NONE, 3),
    ];
    let mut c = Chunk {
        section: 0,
        address: 0x4082,
        load: 0x4082,
        page: 0,
        bare: false,
        nowhere: false,
        bytes: Vec::new(),
        runs: Runs::default(),
    };
    for (bytes, span, expansion, owner) in code {
        c.runs.push(Run {
            offset: c.bytes.len() as u32,
            len: bytes.len() as u32,
            span,
            expansion,
            owner,
            form: form(bytes),
            class: Class::Code,
        });
        c.bytes.extend_from_slice(bytes);
    }
    let mut t = Chunk {
        section: 1,
        address: 0x40A0,
        load: 0x40A0,
        page: 0,
        bare: false,
        nowhere: false,
        bytes: Vec::new(),
        runs: Runs::default(),
    };
    let data: [(Vec<u8>, Span, u32, Class); 4] = [
        ((1..=10).collect(), at("db 1", 0), 4, Class::Data),
        (vec![0; 100], at("ds 100", 0), 4, Class::Space),
        (vec![0; 2], at("align 16", 0), 4, Class::Padding),
        (vec![b'A'], at("db \"A\"", 0), 5, Class::Data),
    ];
    for (bytes, span, owner, class) in data {
        t.runs.push(Run {
            offset: t.bytes.len() as u32,
            len: bytes.len() as u32,
            span,
            expansion: NONE,
            owner,
            form: NONE,
            class,
        });
        t.bytes.extend_from_slice(&bytes);
    }
    let section = |name: &str, n| Section {
        name: name.into(),
        region: 0,
        span: Some(at(&format!("section {name}"), n)),
    };
    let symbols = vec![
        symbol("ROWS", 24, at("ROWS:", 0), NONE),
        symbol("start", 0x4082, at("start:", 0), 0),
        symbol("start.loop", 0x4084, at(".loop:", 0), 0),
        symbol("draw", 0x408C, at("draw:", 0), 0),
        symbol("board", 0x40A0, at("board:", 0), 1),
        symbol("last", 0x4110, at("last:", 0), 1),
    ];
    let image = Image {
        sections: vec![section("code", 0), section("tables", 0)],
        chunks: vec![c, t],
        regions: vec![Region {
            name: "ram".into(),
            start: 0x4009,
            size: 1015,
        }],
        symbols,
        expansions,
        entry: Some(0x4082),
        ..Image::default()
    };
    Example {
        image,
        sources,
        target,
    }
}
