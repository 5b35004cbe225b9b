	cpu	z80
	ld	a,"abcde"
