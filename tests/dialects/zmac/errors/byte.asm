 ld a,300
