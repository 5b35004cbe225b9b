	.area _CODE
	ld a,[hl]
