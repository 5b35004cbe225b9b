	.area _CODE
	.macro load reg,value
	ld reg,#value
	.endm
	load a,5
	load b 6
	.macro wait n,?again
	ld b,#n
again:	djnz again
	.endm
	wait 5
	wait 6
	wait 7,mine
	.macro named x
x'_1:	.ascii "x and 'x'y"
	.endm
	named foo
	.dw foo_1
	.macro part x
	.if x
	.db 1
	.mexit
	.else
	.db 2
	.endif
	.db 3
	.endm
	part 0
	part 1
	.macro outer x
	load c,x
	.endm
	outer 9
	.rept 2
	.rept 2
	halt
	.endm
	nop
	.endm
n = 0
	.rept 3
	.db n
n = n+1
	.endm
	.irp r,b,c
	inc r
	.endm
	.irp r d e
	inc r
	.endm
	.irpc d,123
	.db d
	.endm
	.macro list x
	.db x
	.endm
	list ^/1,2,3/
