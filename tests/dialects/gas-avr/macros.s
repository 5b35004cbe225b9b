; atmega328p
; Arguments by place and by name, defaults, lists, joins, counters.
	.macro load reg, value=7, more:vararg
	ldi \reg, \value
	.ifnb \more
	.byte \more
	.endif
	.endm
	.macro pair low:req, high
	mov r\low, r\high
l\@_\low:
	.word l\@_\low
	.byte \low\()0, \high
	.ascii "\low \high"
	.endm
	load r16
	load r17, 3
	load r18 , 1 + 2 , 4, 5 , 6
	load reg=r19, value=9
	load value=8, reg=r20
	pair 2 3
	pair 4, 5
	pair high=7 low=6
	.macro outer n
	.macro inner\n x
	.byte \x, \n
	.endm
	inner\n 1
	.endm
	outer 5
	inner5 2
	.macro count n
	.byte \n
	.if \n
	count (\n-1)
	.endif
	.endm
	count 3
	.purgem pair
	.macro pair
	nop
	.endm
	pair
	.macro text t
	.asciz "\t"
	.endm
	text "a b, c"
	text plain
