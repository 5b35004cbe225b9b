; attiny817
; A core that has its registers elsewhere and reads flash as data from $8000 on:
; constants stay in flash, also those that a C program merges.
	.section .vectors,"ax",@progbits
	rjmp main
	.text
	.global main
main:	ldi r30, lo8(table)
	ldi r31, hi8(table)
	ld r24, Z
	lds r16, value
	sts value+1, r17
	ldi r26, lo8(text)
	ldi r27, hi8(text)
	ldi r18, lo8(__data_load_start)
	ldi r19, hi8(__data_load_start)
	ldi r20, lo8(__data_load_end)
	ldi r21, lo8(__data_start)
	ldi r22, hi8(__bss_start)
	ldi r23, lo8(small)
	lds r25, table+1
	.byte 7			; so that what follows begins at an odd address
	.section .rodata,"a",@progbits
table:	.byte 1,2,3
	.word table, main, gs(main)
	.section .rodata.str1.1,"aMS",@progbits,1
text:	.string "text"
	.string "text"
	.section .rodata.cst2,"aM",@progbits,2
	.word 0x1234
	.section .rodata.main,"a",@progbits
	.p2align 2
small:	.byte 9
	.section .progmem.data,"a",@progbits
	.byte 0x55, 0x66
	.data
value:	.byte 4,5
	.word table, value
	.section .bss
	.skip 3
