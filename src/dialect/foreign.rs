//! Languages that scrimp does not read, by words that only they have. A source in one
//! of them is told what it is, not a hundred times what it is not.

/// A language that is known by name only.
#[derive(Clone, Copy, Debug)]
pub struct Foreign {
    /// What it is, behind "this looks like".
    pub name: &'static str,
    /// What one can do.
    pub help: &'static str,
    /// Its words in lower case, as the first of a statement, and what scrimp's own
    /// dialect has instead; empty for nothing.
    pub words: &'static [(&'static str, &'static str)],
}

/// Ends of the names of dialects that read the words of a language here, where others of the
/// same family read some of them as something else: `jp` and `cp` are two instructions more
/// in the 8080's words than in the Z80's.
const OWN: &[(&str, &str)] = &[("the 8080's mnemonics", "-8080")];

/// Words that no other language has, so that one alone tells; what else its line has; and
/// whose they are.
const SURE: &[(&str, &str, &str)] = &[
    ("fname", "\"", TNIASM),
    (".exportmode", "", BRASS),
    (".binarymode", "", BRASS),
    (".asciimap", "", BRASS),
    (".bios", "", ASMSX),
    (".biosvars", "", ASMSX),
    (".megarom", "", ASMSX),
    (".msxdos", "", ASMSX),
    (".callbios", "", ASMSX),
    (".calldos", "", ASMSX),
    (".subpage", "", ASMSX),
    (".printtext", "", ASMSX),
];

const TNIASM: &str = "tniASM";
const ASMSX: &str = "asMSX";
const BRASS: &str = "Brass";

/// Words that some read who do not have them in their own sources, and ends of the names of
/// the dialects whose sources do.
const SIGNS: &[(&str, &[&str])] = &[
    (".area", &["sdas"]),
    (".globl", &["sdas", "gas-z80", "gas-avr"]),
    (".module", &["sdas", "tasm"]),
];

/// Ends of the names of files, and ends of the names of the dialects whose sources have such.
const CALLED: &[(&str, &[&str])] = &[
    ("s", &["sdas", "gas-z80", "gas-avr"]),
    ("S", &["gas-z80", "gas-avr"]),
];

const OTHER_Z80: &str =
    "scrimp has no dialect for it; its own is the nearest, docs/manual/native.md";
const NO_CPU: &str = "scrimp has no target for this CPU; `scrimp targets` lists those it has";

/// The language of a line that no other has.
pub fn sure(line: &str) -> Option<&'static Foreign> {
    let word = line.split_whitespace().next()?;
    let is = |row: &&(&str, &str, &str)| word.eq_ignore_ascii_case(row.0) && line.contains(row.1);
    let name = SURE.iter().find(is)?.2;
    ALL.iter().find(|f| f.name == name)
}

/// All of them.
pub static ALL: &[Foreign] = &[
    Foreign {
        name: "M80 or another of CP/M's",
        help: OTHER_Z80,
        words: &[
            (".z80", ""),
            (".8080", ""),
            ("aseg", ""),
            ("cseg", "section"),
            ("dseg", "section"),
            ("extrn", ""),
            ("ext", ""),
            ("entry", ""),
            ("cond", "if"),
            ("endc", "endif"),
            ("irpc", ""),
            ("irp", "foreach"),
            ("rept", "repeat"),
            (".phase", ""),
            (".dephase", ""),
            ("title", ""),
            ("maclib", "include"),
            ("name", ""),
            ("aset", "set"),
            ("defl", "set"),
        ],
    },
    Foreign {
        name: "z88dk's z80asm",
        help: OTHER_Z80,
        words: &[
            ("defc", "equ"),
            ("xdef", ""),
            ("xref", ""),
            ("xlib", ""),
            ("lib", ""),
            ("extern", ""),
            ("global", ""),
            ("public", ""),
            ("defvars", "struct"),
            ("defgroup", ""),
            ("module", "scope"),
            ("binary", "incbin"),
        ],
    },
    Foreign {
        name: TNIASM,
        help: OTHER_Z80,
        words: &[
            ("fname", ""),
            ("forg", "org"),
            ("rb", "ds"),
            ("rw", "ds"),
            ("ifexists", ""),
        ],
    },
    Foreign {
        name: BRASS,
        help: "scrimp has no dialect for it; the nearest is `--dialect tasm`",
        words: &[
            (".exportmode", ""),
            (".binarymode", ""),
            (".asciimap", ""),
            (".varloc", ""),
            (".tvar", ""),
            (".dbsin", ""),
        ],
    },
    Foreign {
        name: ASMSX,
        help: OTHER_Z80,
        words: &[
            (".bios", ""),
            (".biosvars", ""),
            (".rom", ""),
            (".megarom", ""),
            (".basic", ""),
            (".msxdos", ""),
            (".start", ""),
            (".filename", ""),
            (".subpage", ""),
            (".select", ""),
            (".search", ""),
            (".callbios", "call"),
            (".calldos", ""),
            (".printtext", "print"),
        ],
    },
    Foreign {
        name: "WLA-DX",
        help: OTHER_Z80,
        words: &[
            (".memorymap", "region"),
            (".endme", ""),
            (".rombankmap", ""),
            (".endro", ""),
            (".bank", ""),
            (".slot", ""),
            (".defineslot", ""),
            (".slotsize", ""),
            (".section", "section"),
            (".ends", "ends"),
            (".ramsection", ""),
            (".orga", "org"),
            (".sdsctag", ""),
            (".dsb", "ds"),
            (".rombanks", ""),
            (".banksize", ""),
        ],
    },
    Foreign {
        name: "code for the Game Boy's CPU",
        help: NO_CPU,
        words: &[
            ("ldh", ""),
            ("stop", ""),
            ("swap", ""),
            ("ldi", ""),
            ("ldd", ""),
            ("rom0", ""),
            ("wram0", ""),
            ("newcharmap", ""),
            ("opt", ""),
            ("rsreset", ""),
            ("rb", "ds"),
        ],
    },
    Foreign {
        name: "code for the 6502",
        help: NO_CPU,
        words: &[
            ("lda", ""),
            ("sta", ""),
            ("ldx", ""),
            ("stx", ""),
            ("ldy", ""),
            ("sty", ""),
            ("jsr", ""),
            ("rts", ""),
            ("rti", ""),
            ("tax", ""),
            ("txa", ""),
            ("tay", ""),
            ("tya", ""),
            ("txs", ""),
            ("inx", ""),
            ("iny", ""),
            ("dex", ""),
            ("dey", ""),
            ("pha", ""),
            ("pla", ""),
            ("bne", ""),
            ("beq", ""),
            ("bcc", ""),
            ("bcs", ""),
            ("bpl", ""),
            ("bmi", ""),
            ("cmp", ""),
            ("cpx", ""),
            ("cpy", ""),
            ("asl", ""),
            ("!byte", ""),
        ],
    },
    Foreign {
        name: "the 8080's mnemonics",
        help: "write the Z80's: `mvi a,5` is `ld a,5`, `lxi h,5` is `ld hl,5`, `inx h` is `inc hl`, `mov a,m` is `ld a,(hl)`",
        words: &[
            ("mvi", "ld"),
            ("lxi", "ld"),
            ("mov", "ld"),
            ("lda", "ld"),
            ("sta", "ld"),
            ("lhld", "ld"),
            ("shld", "ld"),
            ("ldax", "ld"),
            ("stax", "ld"),
            ("inx", "inc"),
            ("dcx", "dec"),
            ("inr", "inc"),
            ("dcr", "dec"),
            ("dad", "add"),
            ("xchg", "ex"),
            ("xthl", "ex"),
            ("sphl", "ld"),
            ("pchl", "jp"),
            ("jmp", "jp"),
            ("jz", "jp"),
            ("jnz", "jp"),
            ("jc", "jp"),
            ("jnc", "jp"),
            ("jm", "jp"),
            ("jpe", "jp"),
            ("jpo", "jp"),
            ("cz", "call"),
            ("cnz", "call"),
            ("cnc", "call"),
            ("rz", "ret"),
            ("rnz", "ret"),
            ("rc", "ret"),
            ("rnc", "ret"),
            ("adi", "add"),
            ("aci", "adc"),
            ("sui", "sub"),
            ("sbi", "sbc"),
            ("ani", "and"),
            ("xri", "xor"),
            ("ori", "or"),
            ("cpi", "cp"),
            ("ana", "and"),
            ("xra", "xor"),
            ("ora", "or"),
            ("cmp", "cp"),
            ("cma", "cpl"),
            ("stc", "scf"),
            ("cmc", "ccf"),
            ("ral", "rla"),
            ("rar", "rra"),
            ("hlt", "halt"),
        ],
    },
    Foreign {
        name: "code for a PC's CPU",
        help: NO_CPU,
        words: &[
            ("mov", ""),
            ("int", ""),
            ("lea", ""),
            ("jmp", ""),
            ("je", ""),
            ("jne", ""),
            ("jnz", ""),
            ("jl", ""),
            ("jg", ""),
            ("cmp", ""),
            ("test", ""),
            ("shl", ""),
            ("shr", ""),
            ("loop", ""),
            ("lodsb", ""),
            ("stosb", ""),
            ("bits", ""),
            ("global", ""),
            ("syscall", ""),
            ("movzx", ""),
            (".model", ""),
            (".code", ""),
            ("resb", ""),
            ("equ", ""),
            ("segment", ""),
            ("assume", ""),
        ],
    },
    Foreign {
        name: "code for the 68000",
        help: NO_CPU,
        words: &[
            ("move.b", ""),
            ("move.w", ""),
            ("move.l", ""),
            ("moveq", ""),
            ("movem.l", ""),
            ("bsr", ""),
            ("bra.s", ""),
            ("dbra", ""),
            ("jsr", ""),
            ("rts", ""),
            ("trap", ""),
            ("dc.b", ""),
            ("dc.w", ""),
            ("add.l", ""),
            ("clr.l", ""),
            ("tst.b", ""),
        ],
    },
    Foreign {
        name: "code for an ARM",
        help: NO_CPU,
        words: &[
            ("ldr", ""),
            ("str", ""),
            ("ldrb", ""),
            ("strb", ""),
            ("bl", ""),
            ("bx", ""),
            ("mov", ""),
            ("movs", ""),
            ("stmfd", ""),
            ("ldmfd", ""),
            ("adds", ""),
            ("subs", ""),
            ("cmp", ""),
            ("beq", ""),
            ("bne", ""),
            (".thumb", ""),
            (".syntax", ""),
            ("swi", ""),
            ("svc", ""),
        ],
    },
    Foreign {
        name: "code for a PIC",
        help: NO_CPU,
        words: &[
            ("movlw", ""),
            ("movwf", ""),
            ("movf", ""),
            ("bcf", ""),
            ("bsf", ""),
            ("btfsc", ""),
            ("btfss", ""),
            ("goto", ""),
            ("clrf", ""),
            ("addlw", ""),
            ("retlw", ""),
            ("decfsz", ""),
            ("banksel", ""),
            ("__config", ""),
            ("cblock", ""),
            ("endc", ""),
        ],
    },
    Foreign {
        name: "C",
        help: "scrimp reads assembly: let `avr-gcc -S` translate it, and read that with `--dialect gas-avr`",
        words: &[
            ("int", ""),
            ("void", ""),
            ("char", ""),
            ("unsigned", ""),
            ("static", ""),
            ("const", ""),
            ("return", ""),
            ("typedef", ""),
            ("uint8_t", ""),
            ("uint16_t", ""),
            ("#include", ""),
            ("{", ""),
            ("}", ""),
            ("};", ""),
            ("while", ""),
            ("for", ""),
            ("if", ""),
            ("isr", ""),
            ("extern", ""),
        ],
    },
    Foreign {
        name: "BASIC",
        help: "scrimp reads assembly",
        words: &[
            ("print", ""),
            ("rem", ""),
            ("goto", ""),
            ("gosub", ""),
            ("let", ""),
            ("next", ""),
            ("for", ""),
            ("return", ""),
            ("input", ""),
            ("poke", ""),
        ],
    },
];

/// How the names of those dialects end that are made for the language of some words: for
/// each language that they show.
pub fn made_for(words: &[&str]) -> Vec<Vec<&'static str>> {
    let one = |w: &(&str, &str)| words.iter().any(|o| o.eq_ignore_ascii_case(w.0));
    let is = |name: &str| {
        ALL.iter()
            .any(|f| f.name == name && f.words.iter().any(one))
    };
    let own = OWN.iter().filter(|o| is(o.0)).map(|o| vec![o.1]);
    let shows = |s: &str| words.iter().any(|w| w.eq_ignore_ascii_case(s));
    let signs = SIGNS.iter().filter(|s| shows(s.0));
    own.chain(signs.map(|s| s.1.to_vec())).collect()
}

/// The same by how the name of a file ends.
pub fn called(ending: &str) -> Option<Vec<&'static str>> {
    let row = CALLED.iter().find(|c| c.0 == ending)?;
    Some(row.1.to_vec())
}

/// The language of which the most different words are among these, and how many.
pub fn like(words: &[&str]) -> Option<(&'static Foreign, usize)> {
    let hits = |f: &Foreign| {
        let of = |w: &&(&str, &str)| words.iter().any(|o| o.eq_ignore_ascii_case(w.0));
        f.words.iter().filter(of).count()
    };
    let mut best: Option<(&Foreign, usize)> = None;
    for f in ALL {
        let n = hits(f);
        if n > best.map_or(0, |b| b.1) {
            best = Some((f, n));
        }
    }
    best
}
