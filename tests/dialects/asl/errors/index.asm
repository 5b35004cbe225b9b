	cpu	z80
	ld	a,(ix+200)
