	cpu	z80
	shift
