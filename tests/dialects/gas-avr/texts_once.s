; atmega328p
; The linker keeps equal texts and ends of texts once.
	.text
	.word a, b, c, d, e, f+1
	.section .rodata.str1.1,"aMS",@progbits,1
a:	.string "hello"
b:	.string "lo"
c:	.string "other"
d:	.string "hello"
e:	.string ""
f:	.string "her"
	.section .rodata.cst4,"aM",@progbits,4
	.long 1
	.long 2
	.long 1
	.data
	.byte 1
