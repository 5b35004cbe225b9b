	cpu	z80
	dn	16
