	.align 40
