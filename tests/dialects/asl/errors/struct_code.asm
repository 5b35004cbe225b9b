	cpu	z80
s	struct
	nop
s	endstruct
