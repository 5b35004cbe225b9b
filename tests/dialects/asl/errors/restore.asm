	cpu	z80
	restore
