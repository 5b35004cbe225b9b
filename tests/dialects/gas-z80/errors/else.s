	.else
