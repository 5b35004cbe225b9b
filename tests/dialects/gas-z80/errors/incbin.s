	.incbin "nothere.bin"
