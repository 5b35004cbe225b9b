 ld a
