	.area _CODE
	.incbin "nothere.bin"
