	cpu	z80
	rst	5
