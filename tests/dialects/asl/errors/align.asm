	cpu	z80
	align
