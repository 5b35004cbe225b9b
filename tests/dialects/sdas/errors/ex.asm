	.area _CODE
	ex hl,de
