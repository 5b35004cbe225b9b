	cpu	z80
	bit	8,a
