	cpu	z80
	section	one
