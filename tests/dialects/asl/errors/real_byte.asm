	cpu	z80
	db	1.5
