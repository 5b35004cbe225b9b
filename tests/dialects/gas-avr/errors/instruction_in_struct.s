	.struct 0
	nop
