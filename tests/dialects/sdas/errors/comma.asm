	.area _CODE
	ld a,,b
