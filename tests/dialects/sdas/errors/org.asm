	.area _CODE
	.org 5
	nop
