	.area _CODE
	ld a,#%101
