	.db 1
	.fill 2
	.fill 2,7
	.ds 2
	.block 1
	.db 2
	.end
