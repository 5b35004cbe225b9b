	cpu	z80
	if	1
	elsecase
	endif
