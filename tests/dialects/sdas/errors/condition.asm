	.area _CODE
	jr po,x
x:
