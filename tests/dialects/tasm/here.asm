	.org 5
	.dw $,*,$+1
	jr $
	jr *
	djnz $+2
	.end
