	.ascii 5
