//! The checker of rewrites where the word behind a jump runs before that leads anywhere.

use crate::check::compare_on;

/// What is right the checker takes, what is not it catches. Each is a program by itself.
fn takes(what: &str, old: &str, new: &str) {
    if let Err(all) = compare_on("gigatron", old, new) {
        panic!("{what} is right, but:\n{all:#?}\n{old}\n---\n{new}");
    }
}

fn catches(what: &str, old: &str, new: &str) {
    takes(what, old, old);
    takes(what, new, new);
    let found = compare_on("gigatron", old, new);
    assert!(found.is_err(), "{what} is not caught:\n{old}\n---\n{new}");
}

/// A program in one part: words between slashes, labels behind `@`.
fn main(text: &str) -> String {
    let text = text.replace('/', "\n        ").replace('@', "\n");
    format!(
        "        machine gigatron-32k\n        section main in rom\n        org 0\nstart:  {text}\n"
    )
}

fn two(old: &str, new: &str) -> (String, String) {
    (main(old), main(new))
}

/// Behind the dead words `dead` there is a label; `way` leads there.
fn behind(way: &str, dead: &str) -> (String, String) {
    let text = |dead: &str| main(&way.replace("DEAD", dead));
    (text(dead), text(""))
}

#[test]
fn words_that_nothing_comes_to_go() {
    let (old, new) = behind(
        "bra on/ld 1/DEAD@on:     ld ac,out/bra start/nop",
        "ld 2/ld 3",
    );
    takes("two words", &old, &new);
    // The slot is no such word.
    let (old, new) = two(
        "bra on/ld 1@on:     ld ac,out/bra start/nop",
        "bra on@on:     ld ac,out/bra start/nop",
    );
    catches("a slot", &old, &new);
    let (old, new) = two(
        "ld $12,y/beq on/ld 1/ld 2@on:     ld ac,out/bra start/nop",
        "ld $12,y/beq on/ld 1@on:     ld ac,out/bra start/nop",
    );
    catches("a word behind a condition", &old, &new);
    let (old, new) = two(
        "bra on/slot bra x/ld 2@on:     ld ac,out/bra start/nop@x:      ld 4/bra start/ld ac,out",
        "bra on/slot bra x@on:     ld ac,out/bra start/nop@x:      ld 4/bra start/ld ac,out",
    );
    takes("a word behind a jump in a slot", &old, &new);
    let (old, new) = two(
        "bra on/slot bra x/ld 2@on:     ld 5/bra start/nop@x:      ld 4/bra start/ld ac,out",
        "bra on/slot bra x/ld 2@on:     ld 6/bra start/nop@x:      ld 4/bra start/ld ac,out",
    );
    catches("a word that a jump in a slot runs in passing", &old, &new);
}

#[test]
fn each_word_stays_at_its_clock() {
    let (old, new) = two(
        "ld 1/nop/ld ac,out/bra start/nop",
        "ld 1/ld ac,out/bra start/nop",
    );
    catches("a word that does nothing", &old, &new);
    let (old, new) = two(
        "ld ac,out/bra on/nop@on:     bra start/nop",
        "ld ac,out/bra start/nop@on:     bra start/nop",
    );
    catches("a jump to a jump", &old, &new);
    let (old, new) = two(
        "ld 1/adda 2/ld ac,out/bra start/nop",
        "ld 1/suba 2/ld ac,out/bra start/nop",
    );
    catches("another word", &old, &new);
    let (old, new) = two(
        "ld 1/bne start/ld ac,out/bra start/nop",
        "ld 1/beq start/ld ac,out/bra start/nop",
    );
    catches("another condition", &old, &new);
}

/// A routine that goes back by two cells.
const FAR: &str = "ld hi(back)/st [$31]/ld lo(back)/st [$30]/ld hi(sub),y/jmp y,sub/nop/DEAD\
    @back:   bra start/ld $12\
    @        org $100@sub:    MORE/ld [$31],y/jmp y,[$30]/nop";

fn far(dead: &str, more: &str) -> (String, String) {
    behind(&FAR.replace("MORE", more), dead)
}

#[test]
fn addresses_are_followed_to_where_control_goes_by_them() {
    let (old, new) = far("ld 7", "ld 5");
    takes("a return by two cells", &old, &new);
    let (old, new) = far("ld 7", "st [$32]/ld [$32]/ld 1");
    takes("a copy that nobody looks at", &old, &new);
    for (what, more) in [
        ("an address that is shown", "ld [$30]/ld ac,out"),
        (
            "an address in AC when something is shown",
            "ld [$30]/ld 3,out",
        ),
        ("a condition", "ld [$30]/suba 12/beq sub/nop"),
        ("a pointer", "ld [$30],x/ld [x]"),
        ("a store through it", "ld [$30],x/st [x]"),
        (
            "a store to where nobody knows",
            "ld [$30]/ld [$40],y/ld [$41],x/ld [$30]/st [y,x]",
        ),
        ("a command", "ld [$30],x/ctrl x"),
        ("a sum that is shown", "ld [$30]/adda [$40]/ld ac,out"),
        (
            "by way of another cell",
            "ld [$30]/st [$44]/ld [$44]/anda 15/ld ac,out",
        ),
        ("by way of a pointer", "ld [$40],x/ld [x]/ld ac,out"),
        ("by way of a mirror", "ld $80,y/ld [y,$30]/ld ac,out"),
    ] {
        let (old, new) = far("ld 7", more);
        catches(what, &old, &new);
        let (old, new) = far("", more);
        takes(what, &old, &new);
    }
}

/// Who goes back by two cells goes to all that may be there.
#[test]
fn what_is_computed_from_an_address_may_be_gone_to() {
    let program = |more: &str, alternate: &str| {
        main(&format!(
            "ld hi(one)/st [$31]/ld lo(one)/st [$30]/ld hi(sub),y/jmp y,sub/nop@\
             one:    ld hi(two)/st [$31]/ld lo(two)/{more}/st [$30]/ld hi(sub),y/jmp y,sub/nop@\
             two:    bra start/nop/{alternate}/bra start/nop@\
             \x20       org $100@sub:    ld [$31],y/jmp y,[$30]/nop"
        ))
    };
    let shows = "ld 1,out/ld 2,out";
    takes(
        "words that nobody goes to",
        &program("nop", shows),
        &program("nop", "ld 1,out"),
    );
    for more in ["adda 2", "adda 1/adda 1"] {
        let (old, new) = (program(more, shows), program(more, "ld 1,out"));
        catches(more, &old, &new);
    }
    // From any word of the page control may go anywhere.
    for more in ["adda [$40]", "suba [$40]"] {
        let (old, new) = (program(more, shows), program(more, "ld 1,out"));
        assert!(compare_on("gigatron", &old, &new).is_err(), "{more}");
    }
    // A number that is a whole address.
    let number = |shows: &str| {
        let way = "ld [$40]/beq first/nop/ld 1/st [$31]/ld $20/st [$30]/ld hi(sub),y/jmp y,sub/nop";
        let way = format!("start:  {way}@first:  ld").replace('/', "\n        ");
        let text = program("nop", "nop").replace("start:  ld", &way.replace('@', "\n"));
        format!("{text}        org $120\n        {shows}\n        bra $120\n        nop\n")
    };
    catches(
        "a number",
        &number("ld 1,out\n        ld 2,out"),
        &number("ld 1,out"),
    );
    // In which of some pages is computed.
    let pages = |shows: &str| {
        main(&format!(
            "ld [$40]/anda 3/adda hi(table)/st [$42]/ld [$42],y/jmp y,entry/nop@\
             \x20       org $400@table:  nop@entry:  ld 1,out/ld 0,y/jmp y,0/nop/\
             org $500/nop/ld 2,out/{shows}ld 0,y/jmp y,0/nop/org $600/nop/ld 0,y/jmp y,0/nop/\
             org $700/nop/ld 0,y/jmp y,0/nop"
        ))
    };
    catches("a page", &pages("ld 3,out/"), &pages(""));
}

#[test]
fn jumps_to_what_is_computed_hold_their_page() {
    let table = |dead: &str| {
        main(&format!(
            "ld [$40]/anda 3/adda lo(table)/bra ac/slot bra start/{dead}@table:  ld 1/ld 2/ld 3/ld 4"
        ))
    };
    takes("the table where it is", &table("ld 9"), &table("ld 9"));
    catches("a table that moves", &table("ld 9"), &table(""));
    // In a page of its own.
    let far = |dead: &str| {
        main(&format!(
            "ld hi(table),y/ld [$40]/jmp y,ac/ld ac,out/{dead}@        org $100\
             @table:  ld 1/ld 0,y/jmp y,0/nop"
        ))
    };
    takes("what stands in another page", &far("ld 9"), &far(""));
    // A number in a page that nobody knows.
    let lost = |dead: &str| {
        main(&format!(
            "ld [$40],y/jmp y,$20/nop/{dead}@on:     bra on/nop"
        ))
    };
    let found = compare_on("gigatron", &lost("ld 9"), &lost("ld 9"));
    assert!(found.is_err(), "nobody knows where that goes");
    // A number where the page is known.
    let number = |dead: &str| {
        main(&format!(
            "ld 0,y/jmp y,8/nop/nop/nop/{dead}/nop/nop/nop@on:     ld 5/bra start/nop"
        ))
    };
    let (old, new) = (number("ld 9"), number(""));
    catches("what a number leads to", &old, &new);
}

#[test]
fn what_comes_from_outside_is_entered() {
    // Nobody names it.
    let (old, new) = two(
        "bra start/nop@other:  ld 1/ld 2",
        "bra start/nop@other:  ld 1/ld 3",
    );
    catches("a label that nobody names", &old, &new);
    let (old, new) = two("bra start/nop/ld 1/ld 2", "bra start/nop/ld 1");
    takes("words without a name", &old, &new);
    // Data are what they were.
    let (old, new) = two("bra start/nop/db 1, 2", "bra start/nop/db 1, 3");
    catches("data", &old, &new);
}

/// Equal routines: one is gone to in the place of the other.
#[test]
fn one_of_two_equal_routines_may_be_gone_to() {
    let (old, new) = two(
        "ld [$40]/beq a/nop/bra b/nop@a:      ld 1/bra start/ld ac,out@b:      ld 1/bra start/ld ac,out",
        "ld [$40]/beq a/nop/bra a/nop@a:      ld 1/bra start/ld ac,out@b:      bra a/nop",
    );
    // The label is there for others unless something names it.
    assert!(compare_on("gigatron", &old, &new).is_ok());
    let (old, new) = two(
        "ld [$40]/beq a/nop/bra b/nop@a:      ld 1/bra start/ld ac,out@b:      ld 1/bra start/st [$41]",
        "ld [$40]/beq a/nop/bra a/nop@a:      ld 1/bra start/ld ac,out@b:      ld 1/bra start/st [$41]",
    );
    catches("another slot", &old, &new);
}
