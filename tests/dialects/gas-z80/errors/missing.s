	ld a,
