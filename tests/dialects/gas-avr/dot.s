; atmega328p
; The place of an item in data, the place behind an instruction in operands.
	nop
	.word ., .+1, 7, .
here = .
	rjmp .
	rjmp .+2
	rjmp .-2
	brne .+4
	breq .-2
	jmp .+4
	call .
	ldi r16, lo8(.)
	.word here, . - here
. = . + 3
	.byte 9
