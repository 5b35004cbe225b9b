	cpu	z80
m	macro
lab:	nop
	endm
	m
	jp	lab
