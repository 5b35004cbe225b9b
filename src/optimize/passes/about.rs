//! What each pass and each rule that no text of rules has does, for people: `scrimp explain`.

/// A rule of a pass, or a pass as a whole.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name in the ledger.
    pub name: &'static str,
    /// The pass.
    pub pass: &'static str,
    /// What it does.
    pub does: &'static str,
    /// How it is known to be right.
    pub proof: &'static str,
    /// When it is done.
    pub when: &'static str,
    /// Lines before and after.
    pub example: (&'static str, &'static str),
}

const WALK: &str = "The old and the new program are walked side by side by a checker that does \
    not know the passes; what it doubts is not done.";

/// All rules that are no rows of a text of rules.
#[rustfmt::skip]
pub const ALL: &[About] = &[
    About {
        name: "never reached", pass: "unreachable",
        does: "Instructions go to which control comes from nowhere.",
        proof: WALK,
        when: "No entry, jump, call or address in the program leads there. A label that nothing \
            names is an entry, unless a contract says `closed`.",
        example: ("jp out\nld a,1", "jp out"),
    },
    About {
        name: "jump to the next instruction", pass: "jumps",
        does: "A jump to what comes next anyway goes.",
        proof: WALK,
        when: "It changes nothing but where control goes.",
        example: ("jp z,next\nnext: inc a", "next: inc a"),
    },
    About {
        name: "jump to a return", pass: "jumps",
        does: "A jump to a return becomes a return with its condition.",
        proof: WALK,
        when: "The instruction set has a return with that condition.",
        example: ("jp z,done\n…\ndone: ret", "ret z\n…\ndone: ret"),
    },
    About {
        name: "jump over a jump", pass: "jumps",
        does: "A branch over a jump or a return becomes one with the other condition.",
        proof: "The conditions are tried with all flags; the checker walks what comes of it.",
        when: "Nothing else leads to what is jumped over.",
        example: ("jp z,over\njp far\nover: inc a", "jp nz,far\nover: inc a"),
    },
    About {
        name: "jump to a jump", pass: "jumps",
        does: "A jump to a jump goes where that goes.",
        proof: WALK,
        when: "The second jump has no condition, or the first one's.",
        example: ("jp there\n…\nthere: jp on", "jp on\n…\nthere: jp on"),
    },
    About {
        name: "call and return", pass: "tail-calls",
        does: "A call before a return becomes a jump; the return goes if nothing else leads to it.",
        proof: WALK,
        when: "The stack is as high as at the start of the routine, and what is called looks at \
            nothing on it but its own. A routine that does other things with its return address \
            may be said to be harmless: `scrimp: returns`.",
        example: ("call draw\nret", "jp draw"),
    },
    About {
        name: "result not used", pass: "unused",
        does: "An instruction whose results nobody reads goes.",
        proof: "Liveness of registers and of single flags, through calls and returns.",
        when: "It only computes. Behind a routine that is entered from outside everything is \
            read, unless its contract says what it gives `out`.",
        example: ("ld b,5\nld b,6", "ld b,6"),
    },
    About {
        name: "kept for nobody", pass: "unused",
        does: "What puts registers on the stack goes, and what takes them back.",
        proof: "Liveness of registers and of single flags, through calls and returns.",
        when: "Nobody reads the registers behind it; in between nothing looks at the stack.",
        example: ("push hl\nld a,(list)\npop hl\nld hl,0", "ld a,(list)\nld hl,0"),
    },
    About {
        name: "kept without need", pass: "unused",
        does: "What puts registers on the stack goes, and what takes them back.",
        proof: "What instructions change, and the routines that are called.",
        when: "In between nothing changes them that is read behind it, nor looks at the stack.",
        example: ("push hl\nld a,(list)\npop hl\nld (hl),a", "ld a,(list)\nld (hl),a"),
    },
    About {
        name: "so already", pass: "known",
        does: "An instruction goes behind which everything is as it was before.",
        proof: "Known bits of all registers and flags on all ways that lead there.",
        when: "What it changes besides is read by nobody.",
        example: ("ld b,0\nld a,(hl)\nld b,0", "ld b,0\nld a,(hl)"),
    },
    About {
        name: "count and jump in one", pass: "counted",
        does: "An instruction that counts and a jump on what it came to become one that does both.",
        proof: "Both are run with all values of what is counted.",
        when: "Nobody reads the flags behind it, and the one that does both reaches the goal.",
        example: ("dec b\njr nz,next", "djnz next"),
    },
    About {
        name: "a routine that is called once", pass: "inline",
        does: "A routine that is called once comes into the place of its call.",
        proof: WALK,
        when: "It is one piece with its return at the end, and keeps to its own part of the stack.",
        example: ("call draw\n…\ndraw: inc a\nret", "inc a\n…"),
    },
    About {
        name: "a call of a jump", pass: "inline",
        does: "Calls of a jump go where it goes, and it goes away.",
        proof: WALK,
        when: "It is only called.",
        example: ("call there\n…\nthere: jp draw", "call draw\n…"),
    },
    About {
        name: "a block in the place of a jump", pass: "blocks",
        does: "A block comes into the place of a jump to it.",
        proof: WALK,
        when: "Control comes to the block from jumps only, and leaves it for good at its end.",
        example: ("jp on\n…\non: inc a\nret", "on: inc a\nret\n…"),
    },
    About {
        name: "words that stand twice", pass: "tails",
        does: "Who goes to one of two equal sequences goes to the other, and the first goes.",
        proof: WALK,
        when: "The word behind a jump runs before that leads anywhere. Each begins with a label and ends \
            with a jump and its slot, nothing falls into the one that goes, and all that names it is an \
            instruction that can name the other: a branch in its page.",
        example: ("a: ld 5\nbra on\nst [$41]\nb: ld 5\nbra on\nst [$41]", "b: ld 5\nbra on\nst [$41]"),
    },
    About {
        name: "a tail stands twice", pass: "tails",
        does: "Instructions that stand twice before a jump or a return stand once; the other \
            place jumps there.",
        proof: WALK,
        when: "They are the same with the same values, and end in the same way. It takes the \
            time of a jump more.",
        example: ("inc a\nld (v),a\nret\n…\ninc a\nld (v),a\nret", "jp same\n…\nsame: inc a\nld (v),a\nret"),
    },
    About {
        name: "a tail stands twice, before a place", pass: "tails",
        does: "Instructions before a jump that stand before its goal too go; the jump leads to those.",
        proof: WALK,
        when: "They are the same with the same values. It takes no time more.",
        example: ("inc a\njp on\n…\ninc a\non: ret", "jp same\n…\nsame: inc a\non: ret"),
    },
    About {
        name: "a sequence becomes a routine", pass: "outline",
        does: "A sequence that stands several times becomes a routine that is called.",
        proof: WALK,
        when: "The stack pointer points at a stack there, and nothing in it looks at the stack. \
            It takes the time of a call and a return more.",
        example: ("inc hl\nld a,(hl)\nor a\n… (twice)", "call shared\n…\nshared: inc hl\nld a,(hl)\nor a\nret"),
    },
    About {
        name: "a sequence is the end of a routine", pass: "outline",
        does: "A sequence that stands before a return elsewhere is called there.",
        proof: WALK,
        when: "As with sequences that become routines.",
        example: ("inc hl\nld a,(hl)\nor a\n…\ninc hl\nld a,(hl)\nor a\nret", "call shared\n…\nshared: inc hl\nld a,(hl)\nor a\nret"),
    },
    About {
        name: "the short form reaches", pass: "branches",
        does: "A long jump or call takes its short form.",
        proof: "Its meaning is the same; placement checks that it reaches.",
        when: "The goal is near enough. A taken short jump may take longer than a long one.",
        example: ("jp loop", "jr loop"),
    },
    About {
        name: "forms that do not reach over padding", pass: "branches",
        does: "A short form becomes a long one again, where padding that keeps a table in its \
            page came between it and its goal.",
        proof: "Placement.",
        when: "A table would lie in two pages of 256 bytes and did not.",
        example: ("jr far", "jp far"),
    },
];
