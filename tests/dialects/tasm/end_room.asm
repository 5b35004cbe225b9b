	.ds 3
	.db 1
	.ds 2
	.db 2
	.block 9
	.end
