	rjmp there
	.byte 1
there:	.byte 2
