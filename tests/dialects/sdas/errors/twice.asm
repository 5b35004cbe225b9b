	.area _CODE
x:
x:	nop
