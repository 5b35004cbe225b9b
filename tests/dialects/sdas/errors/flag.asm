	.area _CODE
	.area X (FOO)
