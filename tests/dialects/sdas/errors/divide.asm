	.area _CODE
	.db 5/0
