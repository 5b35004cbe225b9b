; Without anything from below, gaps are zeros also in a ROM.
#target rom
#code AA,0,8
	nop
	ds 1
	org 4
	nop
#code BB,0,4
	inc a
x	equ 5
x	equ 2+3
