; atmega328p
a = 1
	.if a
	.byte 1
	.else
	.byte 2
	.endif
	.if a == 2
	.byte 3
	.elseif a == 1
	.byte 4
	.elseif 1
	.byte 5
	.else
	.byte 6
	.endif
	.ifdef a
	.byte 7
	.endif
	.ifndef b
	.byte 8
	.endif
	.ifnotdef a
	.byte 9
	.endif
	.ifb
	.byte 10
	.endif
	.ifnb x
	.byte 11
	.endif
	.ifc a b,a b
	.byte 12
	.endif
	.ifnc a,b
	.byte 13
	.endif
	.ifc 'x','x'
	.byte 14
	.endif
	.ifeqs "one","one"
	.byte 15
	.endif
	.ifeq 0
	.byte 16
	.endif
	.ifgt a
	.byte 17
	.endif
	.iflt -a
	.byte 18
	.endif
	.ifge 0
	.byte 19
	.endif
	.ifle 1
	.byte 20
	.endif
	.ifne a
	.byte 21
	.endif
	.if 0
	.if 1
	.byte 99
	.else
	.byte 98
	.endif
	.macro never
	nonsense ( (
	.endif
start:	nop
	.if . - start == 2
	.byte 22
	.endif
