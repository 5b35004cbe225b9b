; Instructions that are the same with other arguments, and those that only look so.
put: macro ?r, ?v
    ld ?r,?v
    jr $ + ?v
    jr nz,?v
    bit ?v,(ix + ?v)
    endm
far: macro ?v
    ld hl,?v
    djnz ?v
    endm
five: equ 5
    org 0
    put a, 5
    put a, 5
    put a, five
    put b, 5
    put (hl), 5
    org 20H
    put a, 5
here:
    far here
    far $
    far here
    far $
    far 33H
    far 33H
outer: proc
five: equ 6
    put a, five
    put a, 5
    endp
    put a, five
