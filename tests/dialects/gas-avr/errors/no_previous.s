	.popsection
