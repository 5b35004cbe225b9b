	cpu	z80
	db	x[nowhere]
