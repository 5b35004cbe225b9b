	org 0
on	equ 1
#if on
	db 1
#else
	db 2
#endif
	if on-1
	db 3
	elif on
	db 4
	else
	db 5
	endif
	.if 0
	if 1
	db 6
	endif
	.else
	db 7
	.endif
#if 0
lab:	nonsense
#elif on && 1
	db 8
#endif
