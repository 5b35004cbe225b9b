	.macro m x:req
	.db \\\\x
	.endm
	m
