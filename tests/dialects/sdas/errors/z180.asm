	.area _CODE
	mlt bc
