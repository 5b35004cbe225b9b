; Square brackets group.
	.text
	ld	a,[5]
	ld	a,5+[2*3]
	ld	a,[2]+[3]
	ld	hl,[1+2]*3
	ld	a,([1+2])
	ld	(ix+[2]),[3]
	.byte	[1+2]*3, 2*[[3]]
	.word	(2+[3])
	.if	[1+1]==2
	nop
	.endif
