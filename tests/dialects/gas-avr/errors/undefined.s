	rjmp nowhere
