	cpu	z80
x:	nop
x:	nop
