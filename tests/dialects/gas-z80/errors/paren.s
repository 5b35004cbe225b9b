	ld a,(5
