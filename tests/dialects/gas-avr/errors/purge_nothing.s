	.purgem m
