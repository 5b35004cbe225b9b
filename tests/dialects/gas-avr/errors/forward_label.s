	rjmp 1f
