	rjmp 1b
