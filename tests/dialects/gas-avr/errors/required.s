	.macro m a:req
	.endm
	m
