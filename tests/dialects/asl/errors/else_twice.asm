	cpu	z80
	if	0
	else
	else
	endif
