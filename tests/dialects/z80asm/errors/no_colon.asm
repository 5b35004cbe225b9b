l1	nop
