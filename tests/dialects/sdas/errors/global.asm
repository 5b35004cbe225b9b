	.area _CODE
	.globl nowhere
	jp nowhere
