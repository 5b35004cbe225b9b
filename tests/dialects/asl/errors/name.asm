	cpu	z80
5x:	nop
