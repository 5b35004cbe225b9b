	.global main, table
	.globl count
main:	call other
	ld hl,table
	ld a,count
1:	djnz 1b
	.data
table:	.byte 1,2,3
own:	.byte 4
	.weak missing
	.text
	.word missing, own
count	= 5
