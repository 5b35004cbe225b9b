	.dw 12x
