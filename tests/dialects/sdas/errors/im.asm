	.area _CODE
	im 3
