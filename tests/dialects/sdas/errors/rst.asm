	.area _CODE
	rst 7
