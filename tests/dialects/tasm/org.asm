	.org 10
	.db 1
	.org 5
	.db 2
	.org 8
	.db 3
	.end
