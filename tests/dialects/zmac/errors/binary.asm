 ld a,%101
