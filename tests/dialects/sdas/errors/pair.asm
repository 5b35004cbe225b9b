	.area _CODE
	ld bc,de
