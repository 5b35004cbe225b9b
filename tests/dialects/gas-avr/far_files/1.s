; atmega2560
; Jumps for word addresses of 16 bits, to targets in several files. Which comes first
; depends on the numbers of the sections, of which those for shared rooms are some.
	.section .vectors,"ax",@progbits
	jmp main
	.text
	.global main
main:	ldi r30, lo8(gs(one))
	ldi r31, hi8(gs(far1))
	sts pointer, r30
	.word gs(far2), gs(far3), gs(far4), gs(own), gs(last)
one:	ret
own:	ret
	.comm pointer,2,1
	.comm wide,1,1
	.ident "one"
