	jr 1f
	.space 200
1:
