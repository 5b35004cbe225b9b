; atmega328p
; The order of ld's default script, whatever the order of the source.
	.section .fini0,"ax",@progbits
	.byte 0xf0
	.section .fini9,"ax",@progbits
	.byte 0xf9
	.text
	.byte 0x11
	.section .text.extra,"ax",@progbits
	.byte 0x12
	.section .init5,"ax",@progbits
	.byte 0x15
	.section .init0,"ax",@progbits
	.byte 0x10
	.section .progmem.data,"a",@progbits
	.byte 0x1d
	.section .vectors,"ax",@progbits
	.byte 0x01
	.section .lowtext,"ax",@progbits
	.byte 0x1e
	.section .ctors,"a",@progbits
	.byte 0xc0
	.section .rodata,"a",@progbits
	.byte 0xd1
	.data
	.byte 0xd0
	.section .mine,"ax",@progbits
	.byte 0xee
	.section .note,"",@progbits
	.byte 1,2,3
	.section .bss
	.skip 3
	.section .noinit,"aw",@nobits
	.skip 2
	.section .jumptables.a,"a",@progbits
	.byte 0x1f
	.pushsection .text
	.byte 0x13
	.popsection
	.byte 0x20
