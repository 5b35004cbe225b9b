; atmega328p
; Alignment, its fill and its limit.
	.byte 1
	.align 2
	.byte 2
	.p2align 1
	.byte 3
	.balign 8, 0xaa
	.byte 4
	.p2align 4,,3
	.byte 5
	.balignw 4, 0x1234
	.byte 6
	.data
	.byte 1
	.balign 4
	.byte 2
