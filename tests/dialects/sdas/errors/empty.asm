	.area _CODE
	.db
