	cpu	z80
s	struct	foo
x	db	?
s	endstruct
