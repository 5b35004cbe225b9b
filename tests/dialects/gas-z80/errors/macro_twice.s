	.macro m
	.endm
	.macro m
	.endm
