	cpu	z80
s	struct
x	db	5
s	endstruct
