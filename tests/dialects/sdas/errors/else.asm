	.area _CODE
	.else
