	cpu	z80
; Operands of an exchange in either order; halves of index registers as names.
	org	100h
	ex	de,hl
	ex	hl,de
	ex	af,af'
	ex	af',af
	ex	(sp),hl
	ex	hl,(sp)
	ex	ix,(sp)
	ex	(sp),iy
	exx
iyl	equ	5
	ld	a,iyl
