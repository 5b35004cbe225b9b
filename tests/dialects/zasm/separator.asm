	org 0
	nop \ nop\ld a,1
lab:	inc a \ dec a
	dw lab
