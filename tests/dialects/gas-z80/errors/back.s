	.org 5
	nop
	.org 2
