; values are wider than 16 bits
big:	equ 0x12345
	db big>>16, (big>>8)&255, big&255
	dw 65536/2, 0x7fffffff/65536
