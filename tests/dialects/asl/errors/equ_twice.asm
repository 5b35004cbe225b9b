	cpu	z80
x	equ	1
x	equ	2
