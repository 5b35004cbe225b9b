	.area _CODE
	rl b,(hl)
