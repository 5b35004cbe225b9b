x:	equ 1
	if x
	db 1
	else
	db 2
	endif
	if x==2
	db 3
	else
	if x<2
	db 4
	else
	db 5
	endif
	endif
	if 0
junk:	frobnicate 1,2
	endif
junk:	dw junk
