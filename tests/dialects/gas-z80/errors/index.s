	ld a,(ix+130)
