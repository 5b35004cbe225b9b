	brne there
	.skip 130
there:	nop
