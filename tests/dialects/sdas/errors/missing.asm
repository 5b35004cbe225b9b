	.area _CODE
	ld a,
