 ld a,
