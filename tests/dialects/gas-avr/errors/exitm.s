	.exitm
