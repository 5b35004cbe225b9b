	.area _CODE
	.endm
