; attiny10
; Addresses of data in fields of a byte and less: their low 16 bits count.
	.text
start:	ldi	r28, second
	ldi	r29, second+1
	cpi	r28, second+3
	subi	r17, first-2
	ori	r18, first
	ldi	r19, lo8(second)
	in	r16, second-0x20
	out	first-16, r17
	sbi	first-0x40, 1
	cbic	= 3
	cbi	second-0x38, cbic
	sbis	second-0x42, 7
	lds	r22, second
	.word	second
	rjmp	start
	.section .bss
first:	.skip	3
second:	.skip	1
