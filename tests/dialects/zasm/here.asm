	org 5
	dw $,$,.
	jr $
	djnz $+2
	.phase 8000h
x:	dw x,$,$$
	jp x
	.dephase
y:	dw y,$,$$
