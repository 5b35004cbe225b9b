	cpu	z80
x:	ds	200
	jr	x
