	.area _CODE
	add hl,#5
