	rjmp there
	.skip 4096
there:	nop
