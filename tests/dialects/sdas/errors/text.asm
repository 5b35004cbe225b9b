	.area _CODE
	.ascii "abc
