; Counts of clocks up to a place.
	org	100h
start:	ld	a,5
	ld	(ix+3),a
	db	t(start),t($),t start
	sett	7
	nop
	jr	nz,start
	db	t($),t $+0
	dw	ocf($),ocf start
	xor	a
	rept	(40-t($))/4
	nop
	endm
back:	ldir
	rlc	(iy+2)
	db	tilo(back),tihi(back),tihi(start),tilo start
	setocf	3
	exx
	ret	z
	call	start
	ds	2
	inc	a
	db	t($)&0ffh,ocf($)
	tstate	0
	push	af
	push	ix
	db	t($),t($-2),t($-3)
