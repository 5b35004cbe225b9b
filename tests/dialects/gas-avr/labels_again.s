; atmega328p
; A name may stand at the same place again.
	nop
	.global here
here:
here:	rjmp here
	.macro label name
\name:
	.endm
	label there
	label there
	rjmp there
