	.area _CODE
	.ascii "ab" 5
