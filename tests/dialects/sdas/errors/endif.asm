	.area _CODE
	.if 1
	nop
