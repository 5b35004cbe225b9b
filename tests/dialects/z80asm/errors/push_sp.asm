	push sp
