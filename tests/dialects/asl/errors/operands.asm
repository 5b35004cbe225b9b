	cpu	z80
	ld	(hl),(hl)
