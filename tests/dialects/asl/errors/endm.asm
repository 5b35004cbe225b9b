	cpu	z80
	endm
