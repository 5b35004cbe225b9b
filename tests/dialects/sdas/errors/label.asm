	.area _CODE
x y:	nop
