; atmega328p
; Texts and their escapes.
	.ascii "a;b$c#d/*e*/"
	.asciz "one", "two"
	.string "\b\f\n\r\t\v\\\"\101\7\x41\x1234"
	.ascii "tail"
	.byte 0
