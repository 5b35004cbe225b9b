	.area _CODE
	.radix z
