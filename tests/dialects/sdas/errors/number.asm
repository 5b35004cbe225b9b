	.area _CODE
	.db 12x
