	.area _CODE
	.db 0o19
