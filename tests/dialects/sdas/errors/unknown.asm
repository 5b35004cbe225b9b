	.area _CODE
	frob a
