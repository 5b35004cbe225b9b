	cpu	z80
	db	g(1)
