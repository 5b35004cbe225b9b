	nop
	.align 2
	nop
	.balign 8,0xff
	halt
	.p2align 3,,2
	di
	.data
	.byte 1
	.balign 4
	.byte 2
	.bss
	.space 3
	.balign 16
	.space 1
	.comm large,100
	.section last
	.word large
