	.area _CODE
	.include "nothere.inc"
