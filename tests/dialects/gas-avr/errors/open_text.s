	.ascii "abc
