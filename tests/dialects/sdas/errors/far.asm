	.area _CODE
	jr x
	.ds 200
x:
