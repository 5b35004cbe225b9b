	org 0
n	= 7
l{n}:	nop
	dw l7
	db {n+1}, {n*2}
	.rept 2
x{n}:	db n
n	= n+1
	.endm
	dw x7,x8
