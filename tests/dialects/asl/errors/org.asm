	cpu	z80
	org	10000h
	nop
