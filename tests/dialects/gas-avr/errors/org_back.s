	nop
	nop
	.org 2
