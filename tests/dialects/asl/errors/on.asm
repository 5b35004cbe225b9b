	cpu	z80
	relaxed	maybe
