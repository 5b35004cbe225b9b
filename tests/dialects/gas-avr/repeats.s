; atmega328p
	.rept 3
	nop
	.endr
	.irp x, 1, 2 , 3
	.byte \x
	.endr
	.irp reg r16,r17 r18
	clr \reg
	.endr
	.irpc c, abc1
	.ascii "\c"
	.endr
	.irp y
	.ascii "[\y]"
	.endr
n = 0
	.rept 4
	.byte n
n = n + 1
	.irp z, 7,8
	.byte \z
	.endr
	.endr
	.macro until limit
	.irp v, 1,2,3,4,5
	.if \v > \limit
	.exitm
	.endif
	.byte \v
	.endr
	.byte 0xee
	.exitm
	.byte 0xff
	.endm
	until 2
	.rept 0
	.error "never"
	.endr
