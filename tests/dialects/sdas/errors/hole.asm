	.area _CODE
	.dw 1,,2
