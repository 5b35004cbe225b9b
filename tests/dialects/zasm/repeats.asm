	org 0
n	= 0
	rept 3
	db n
n	= n+1
	endm
	dup 2
	nop
	.rept 2
	inc a
	.endm
	edup
	rept 0
	halt
	endm
