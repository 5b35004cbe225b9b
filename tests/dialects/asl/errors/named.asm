	cpu	z80
m	macro	x
	db	x
	endm
	m	y=5
