	.frobnicate 1
