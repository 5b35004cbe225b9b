	cpu	z80
x!:	nop
