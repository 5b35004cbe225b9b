	cpu	z80
	ld	a,' '+' '
