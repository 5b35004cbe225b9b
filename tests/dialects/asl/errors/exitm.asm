	cpu	z80
	exitm
