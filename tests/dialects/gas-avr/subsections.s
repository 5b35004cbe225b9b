; atmega328p
	.text 2
	.byte 0x22
	.text 1
	.byte 0x11
	.text
	.byte 0x00
	.subsection 1
	.byte 0x12
	.data 1
	.byte 0xd1
	.data
	.byte 0xd0
	.section .text
	.byte 0x01
	.previous
	.byte 0xd2
