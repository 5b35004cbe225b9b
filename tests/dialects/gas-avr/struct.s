; atmega328p
	.struct 4
one:	.skip 2
two:	.byte 0
three:	.word 0
	.balign 4
four:
	.text
	.byte one, two, three, four
	ldd r16, Y+two
