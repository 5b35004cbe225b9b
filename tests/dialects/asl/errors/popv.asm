	cpu	z80
	popv	st,x
