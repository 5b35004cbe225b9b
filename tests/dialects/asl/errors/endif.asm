	cpu	z80
	endif
