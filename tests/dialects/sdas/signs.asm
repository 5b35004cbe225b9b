	.area	CODE (ABS)
	.org	0x100
	; `#` before a value binds as other signs do.
	ld	bc,#6*#4-#1
	.db	#2*#3+1, -#2+3, 6/#2+1, #6-#2-#1, #(1+2)*3
	ld	a,#>0x1234+1
	jp	+0(iy)
	jp	0 (ix)
	ex	af',af
