; names count in their case
	cpu	z80
a1	equ	1
A1	equ	2
m	macro	x
	db	x,X
	endm
X	equ	9
	db	a1,A1
	m	5
lab:	dw	Lab
Lab:	DW	lab
