	cpu	z80
	segment	nowhere
