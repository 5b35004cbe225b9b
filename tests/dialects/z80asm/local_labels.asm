.a:	db 1
	dw .a
b.c:	dw b.c
