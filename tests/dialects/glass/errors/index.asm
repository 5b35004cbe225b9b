 ld a,(ix + 128)
