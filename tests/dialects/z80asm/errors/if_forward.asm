	if later
	endif
later:	nop
