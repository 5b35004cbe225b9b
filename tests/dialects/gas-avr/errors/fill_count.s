	.fill -1, 1, 0
