	cpu	z80
m	macro
	nop
