	.macro m a
	.endm
	m 1, 2
