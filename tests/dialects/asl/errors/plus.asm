	cpu	z80
	jr	+
