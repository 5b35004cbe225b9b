; atmega328p
	.global main, shared
	.weak handler
	.section .vectors,"ax",@progbits
	rjmp main
	rjmp handler
	.text
main:	rcall helper
local:	rjmp local
	lds r16, counter
	.comm buffer, 4, 1
handler: ret
	.data
shared:	.byte 1
	.section .rodata.str1.1,"aMS",@progbits,1
	.string "same"
	.text
	.word first
	.section .rodata.str1.1,"aMS",@progbits,1
first:	.string "one"
