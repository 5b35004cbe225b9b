; atmega328p
	.altmacro
	.macro twice x, y
	LOCAL here
here:	.byte x, y
	.word here
	.endm
	twice 1, %2+3
	twice <4>, 5
	.noaltmacro
	.macro plain x
	.byte \x
	.endm
	plain 6
