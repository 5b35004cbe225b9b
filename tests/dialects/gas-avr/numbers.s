; atmega328p
; Numbers and characters.
	.byte 10, 0x1f, 0X2e, 0b101, 0B11, 017, 0, 'a, 'b', '\n', '\t', ';', '$', ','
	.word 65535, -1, 0xabcd
	.long 0x12345678, -2
	.quad 0x123456789abcdef0
	.short 0x1122
	.hword 3
	.2byte 4
	.int 0x11223344
	.4byte 5
	.8byte 6
	.float 1.5
