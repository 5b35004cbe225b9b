; room at the end is in no file, whatever stands in it
	nop
	.data
	.byte 1
	.bss
	.skip 20
last:	.space 3
	.text
	.word last
