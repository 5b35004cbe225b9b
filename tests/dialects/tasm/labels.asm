l1 nop
l2: nop
l3
	.dw l1,l2,l3
nop	nop
ld:	nop
	.dw nop,ld
a1	.equ 5
a2:	.equ 6
a3 = 7
	.db a1,a2,a3
	LD A,B
	.DB 1
	.end
