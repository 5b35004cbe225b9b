	cpu	z80
	codepage	one,two
