; atmega2560
; Jumps for word addresses of 16 bits.
	.section .vectors,"ax",@progbits
	jmp main
	.text
one:	ret
two:	ret
	.global main
main:	ldi r30, lo8(gs(one))
	ldi r31, hi8(gs(one))
	ldi r30, lo8(gs(two))
	ldi r30, pm_lo8(two)
	.word gs(one), gs(two+2), gs(five)
	.section .text.more,"ax",@progbits
five:	ret
