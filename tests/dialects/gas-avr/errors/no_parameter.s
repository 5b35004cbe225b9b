	.macro m a
	.endm
	m b=1
