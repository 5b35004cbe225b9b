	ld a,,b
