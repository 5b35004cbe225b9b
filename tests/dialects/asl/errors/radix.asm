	cpu	z80
	radix	99
