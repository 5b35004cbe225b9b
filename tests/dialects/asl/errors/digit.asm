	cpu	z80
	db	12h9
