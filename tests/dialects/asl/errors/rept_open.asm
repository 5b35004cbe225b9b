	cpu	z80
	rept	2
	nop
