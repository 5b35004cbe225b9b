; Values behind a mark, met before with others.
        .area CODE (ABS)
        .org 0x100
n = 7
        ld a,#5
        ld a,#6
        ld a,#n
        ld a,(6)
        ld hl,#5
        ld hl,#here
        ld hl,#n
        cp #1
        cp #0x12
        cp #n
        add a,#b
        add a,b
        ld b,#b
        .radix x
        ld a,#10
        ld a,#11
        .radix d
        ld a,#10
here:
b = 3
