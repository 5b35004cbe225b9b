; atmega328p
; `.org` counts from the start of the section of the file.
	nop
	.org 0x10
	ret
	.org 0x18, 0xff
	.byte 1
	.data
	.byte 5
	.org 6
	.byte 7
	.text
	.byte 2
