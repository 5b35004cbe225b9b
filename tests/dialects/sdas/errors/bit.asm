	.area _CODE
	bit 8,a
