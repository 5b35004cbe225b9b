; Values of names from below are written when all else is, the first of them last.
up:  equ 5
     dw one, two
     ld a, one + 1
     seek 1
     dw two
     db 9, 9, 9
     seek 3
     ld (ix + three), four
     seek 6
     db up, 7
     seek 12
one: nop
two: jr one
     seek 13
     db up
three: equ 3
four: equ 4
