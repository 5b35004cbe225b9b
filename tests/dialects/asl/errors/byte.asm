	cpu	z80
	db	300
