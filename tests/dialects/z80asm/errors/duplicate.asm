l1:	nop
l1:	nop
