	endif
