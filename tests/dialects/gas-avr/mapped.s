; attiny10
; A core that reads flash as data has its constants there.
	.text
	ldi r30, lo8(table)
	ldi r31, hi8(table)
	lds r16, value
	sts value+1, r17
	.section .rodata,"a",@progbits
table:	.byte 1,2,3
	.data
value:	.byte 4,5
