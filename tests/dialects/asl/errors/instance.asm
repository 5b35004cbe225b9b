	cpu	z80
s	struct
x	db	?
s	endstruct
	s
