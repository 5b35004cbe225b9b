a:	nop
a:	nop
