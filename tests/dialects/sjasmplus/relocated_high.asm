; Only high bytes of addresses change: their places are those of high bytes.
    org $4000
    opt --zxnext
    relocate_start high
    dw relocate_count
first:
    ld hl, first
    ld a, high first
    ld a, low first
    ld hl, high last
    db high first, high last - high first, low first, high (last + 256)
    dw first, high first
    push first
    push high first
    nextreg 7, high last
    ld (ix + 5), high last
    ld b, high last
    add a, high last
    out (high last), a
upper equ high last
    ld c, upper
    abyte 1 high first, 2
    struct part
one byte high first
two word last
    ends
    part
other part = high first
    ld hl, other
d part = first + 1
    ld hl, d.two
a part 5, first
last:
    relocate_end
    relocate_table
    relocate_table +1
