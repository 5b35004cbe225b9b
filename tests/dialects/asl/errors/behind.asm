	cpu	z80
m	macro	x,y
	db	x,y
	endm
	m	y=5,3
