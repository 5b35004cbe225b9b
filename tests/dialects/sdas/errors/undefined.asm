	.area _CODE
	jp nowhere
