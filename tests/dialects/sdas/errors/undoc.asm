	.area _CODE
	sli (hl),a
