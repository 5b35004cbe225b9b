; functions within expressions of labels
	cpu	z80
	org	16h
sum	function	p,q,p+q
lab:	ld	a,(1+abs(lab))
	ld	b,3+(lab=0-abs(lab))
v	equ	sum(3,4)
w	set	sum(v,lab)
	db	v,w,5-(abs(lab)-2)
