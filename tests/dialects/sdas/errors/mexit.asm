	.area _CODE
	.mexit
