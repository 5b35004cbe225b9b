	ld (hl),(hl)
