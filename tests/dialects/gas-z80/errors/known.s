	.if x
	nop
	.endif
x:
