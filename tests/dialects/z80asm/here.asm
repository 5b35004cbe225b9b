	org 0x1000
	db 1,2
	dw $, $, $+1, $-2
here:	equ $
	dw here
	jr $
	ld hl,$
