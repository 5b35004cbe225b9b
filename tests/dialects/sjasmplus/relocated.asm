; Addresses in code that is moved as a whole, and the table of their places.
    org $4000
    ld hl, first            ; outside of a block: stays
    relocate_start
    ASSERT 2 * relocate_count == relocate_size
    dw relocate_count, relocate_size
first:
    ld hl, first            ; moves
    ld (last), a            ; moves
    ld ix, (first + 3)      ; moves
    ld bc, last - first     ; a distance stays
    jp nz, first
    djnz first
    ld a, low first         ; no word
    ld de, first * 2        ; moves by another number
    ld de, norel first      ; stays as is said
    ld de, norel (first) + 1
    dw first, 7, last - 1, outside
    db 1, last - first
here = $
    ld hl, here
here = here - first
    ld hl, here
fixed equ outside + 1
moved equ last + 1
size equ last - first
    ld hl, fixed : ld hl, moved : ld hl, size
1:  jp 1B
    call 2F
    ld hl, 2_f + 1
2:
    struct couple
left  word 1
right word first
    ends
p couple
q couple first, 0
r couple = first + 8
    ld hl, (r.right)
    ld hl, couple
    push bc, de
    ld bc, hl
last:
    relocate_end
outside:
    ld hl, first
    relocate_start
more: dw more, first
    disp $100
run: ld hl, run             ; where it runs stays
    ld de, more             ; but what it speaks of moves
    dw $
    ent
    dw $
    relocate_end
    dw relocate_count
    relocate_table
    relocate_table 1
    relocate_table first - 5
