	.area _CODE
	jr 1$
