	.balign 3
