 ld a,(ix+200)
