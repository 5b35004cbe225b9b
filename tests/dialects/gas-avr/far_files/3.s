	.comm pointer,1,1
	.section .text.more,"ax",@progbits
	.global far3, far4
far3:	ret
	.p2align 2
far4:	ret
	.word gs(far4+2)
	.data
	.global known
known:	.word gs(own)
	.text
own:	ret
