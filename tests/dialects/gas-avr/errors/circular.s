a = b + 1
b = a + 1
	.word a
