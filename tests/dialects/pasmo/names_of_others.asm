; Words of other dialects are plain names here.
	org 100h
jump	nop
section	equ 5
align:	jp jump
	db section
assert	jr align
repeat
	dw assert, repeat
