; atmega328p
; Room and patterns.
	.skip 3
	.space 2, 0x55
	.zero 2
	.fill 3, 2, 0x1234
	.fill 2
	.fill 1, 8, -1
	.fill 2, 1, 7
	.skip end - begin, 1
begin:	.byte 1,2,3
end:
