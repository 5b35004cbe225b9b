	.text
	.byte 3
	.weak counter
counter: .word __bss_end
	.section .bss
	.skip 2
