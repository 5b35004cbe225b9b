	cpu	z80
	im	4
