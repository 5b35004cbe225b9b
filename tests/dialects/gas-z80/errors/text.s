	.db "abc
