	.comm a, -1
