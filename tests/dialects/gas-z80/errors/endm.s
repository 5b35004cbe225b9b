	.macro m
	nop
