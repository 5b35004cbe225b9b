	.area _CODE
	push a
