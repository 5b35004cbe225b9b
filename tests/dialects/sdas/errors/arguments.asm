	.area _CODE
	.macro m x
	.db x
	.endm
	m 1,2
