	.area _CODE
	ld a,(5
