	cpu	z80
	ld	a,nowhere
