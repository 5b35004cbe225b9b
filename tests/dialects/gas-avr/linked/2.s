	.text
	.global helper, handler, counter
helper:	nop
local:	rjmp local
	lds r17, shared
	sts buffer, r17
	ret
handler: reti
	.data
counter: .word local
	.comm buffer, 9, 1
	.section .rodata.str1.1,"aMS",@progbits,1
	.string "same"
	.section .progmem.data,"a",@progbits
	.byte 7
	.p2align 1
