x:	nop
x:	nop
