	.err
