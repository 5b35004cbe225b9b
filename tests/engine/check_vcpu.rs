//! The checker of rewrites on the vCPU, whose calls leave their return address in cells.

use crate::check::compare_on;

/// Pairs of programs of the vCPU: what is right the checker takes, what is not it catches.
#[test]
fn programs_whose_calls_keep_no_address_on_the_stack() {
    let takes = |what: &str, old: &str, new: &str| {
        if let Err(all) = compare_on("vcpu", old, new) {
            panic!("{what} is right, but:\n{all:#?}\n{old}\n---\n{new}");
        }
    };
    let catches = |what: &str, old: &str, new: &str| {
        takes(what, old, old);
        takes(what, new, new);
        let found = compare_on("vcpu", old, new);
        assert!(found.is_err(), "{what} is not caught:\n{old}\n---\n{new}");
    };
    let main = |text: &str| {
        format!(
            "        org $0200\nstart:  {}\n",
            text.replace('/', "\n        ").replace('@', "\n")
        )
    };
    let two = |old: &str, new: &str| (main(old), main(new));
    let (old, new) = two(
        "ldw $40/beq a/bra b/@a:      inc $42@b:      halt",
        "ldw $40/bne b/inc $42@b:      halt",
    );
    takes("a branch that is turned", &old, &new);
    let (old, new) = two(
        "ldw $40/beq a/bra b/@a:      inc $42@b:      halt",
        "ldw $40/ble b/inc $42@b:      halt",
    );
    catches("another condition", &old, &new);
    let (old, new) = two(
        "ldw $40/beq b/inc $42@b:      halt",
        "ldw $40/bne b/inc $42@b:      halt",
    );
    catches("the opposite condition", &old, &new);
    let (old, new) = two(
        "ldw $40/blt b/inc $42@b:      halt",
        "ldw $40/bge b/inc $42@b:      halt",
    );
    catches("the opposite sign", &old, &new);
    // Where somebody looks at his return address, what stands there is the same.
    let tail = "halt/ldi 0@one:    ldw $40/ret";
    let look = "halt/ldi 0@one:    ldw $1a/stw $90/ldw $90/peek/stw $40/ret";
    let old = |rest: &str| main(&format!("calli one/bra a@a:      inc $42/{rest}"));
    let new = |rest: &str| main(&format!("calli one/inc $42/{rest}"));
    takes("a jump behind a call", &old(tail), &new(tail));
    catches("a jump behind a call", &old(look), &new(look));
    // By way of the stack.
    let look = "halt/ldi 0@one:    push/ldlw 0/stw $90/pop/ret";
    catches("a jump behind a call", &old(look), &new(look));
    let look = "halt/ldi 0@one:    push/ldw $1c/stw $90/pop/ret";
    catches("a jump behind a call", &old(look), &new(look));
    let look = "halt/ldi 0@one:    inc $1a/ret";
    catches("a jump behind a call", &old(look), &new(look));
    // A call leaves its address: it is no jump, nor is its routine to be put in its place.
    let (old, new) = two(
        "calli one/halt@one:    inc $40/ret",
        "bra one/halt@one:    inc $40/ret",
    );
    catches("a jump for a call", &old, &new);
    let (old, new) = two(
        "calli one/halt@one:    inc $40/ret",
        "inc $40/halt@one:    inc $40/ret",
    );
    catches("a routine in the place of its call", &old, &new);
    let (old, new) = two(
        "push/calli one/ret@one:    inc $40/ret",
        "push/bra one@one:    inc $40/ret",
    );
    catches("a jump for a call and a return", &old, &new);
    let (old, new) = two("ldw $40/bra out/ldi 0@out:    ret", "ldw $40/ret");
    takes("a return for a jump to one", &old, &new);
    // What knows its own address.
    let (old, new) = two(
        "def on/inc $42/bra x@x:      ret@on:     stw $90/call $90/halt",
        "def on/inc $42/ret@on:     stw $90/call $90/halt",
    );
    takes("a routine whose address is kept", &old, &new);
    let (old, new) = two(
        "def on/inc $42/bra x@x:      ret@on:     peek/stw $90/halt",
        "def on/inc $42/ret@on:     peek/stw $90/halt",
    );
    catches("a routine that is read", &old, &new);
    let (old, new) = two(
        "def on/inc $42/ret@on:     stw $90/call $90/halt",
        "def on/inc $44/ret@on:     stw $90/call $90/halt",
    );
    catches("another routine", &old, &new);
    // Code whose address is used for more than going there.
    let (old, new) = two(
        "ldwi a/peek/stw $40/halt@a:      inc $42/bra b@b:      ret",
        "ldwi a/peek/stw $40/halt@a:      inc $42/ret",
    );
    catches("code that is read", &old, &new);
    // Far jumps.
    let far = |page: u16, rest: &str| {
        format!(
            "        org $0200\nstart:  jmp far\n        org ${page:04x}\nfar:    inc $42\n{rest}"
        )
    };
    takes(
        "a far jump",
        &far(0x300, "        bra a\na:      halt\n"),
        &far(0x300, "        halt\n"),
    );
    catches(
        "a far jump elsewhere",
        &far(0x300, "        halt\n"),
        &main("jmp far/halt@far:    inc $44/halt"),
    );
}
