	.macro open
	nop
