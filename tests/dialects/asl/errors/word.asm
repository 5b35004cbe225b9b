	cpu	z80
	frob	5
