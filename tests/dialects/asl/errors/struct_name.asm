	cpu	z80
s	struct
x	db	?
t	endstruct
