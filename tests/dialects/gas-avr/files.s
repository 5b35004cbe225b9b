; atmega328p
	.include "part.inc"
	.incbin "data.bin"
	.incbin "data.bin", 2
	.incbin "data.bin", 1, 2
	twice 5
	.end
	this is not read
