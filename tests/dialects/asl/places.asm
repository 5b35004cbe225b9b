; where bytes go: org, room, phase, alignment
	cpu	z80
	org	100h
	ds	4
	db	1
	ds	3
	db	2
	align	8
	db	3
	align	16,0aah
	db	4
	phase	4000h
p:	dw	p,$
	ds	2
	db	5
	align	8
q:	dw	q
	dephase
	dw	$
	phase	5000h
	dw	$
	phase	6000h
	dw	$
	dephase
	dw	$
	dephase
	dw	$
	org	120h
	db	6
	rorg	4
	db	7
	org	$+2
	db	8
	org	108h
	db	9
	org	180h
v	ds	2
w	ds	2
	segment	io
port1:	ds	1
port2:	ds	1
	segment	code
	db	10
	org	100h+90h
	db	port2
	dw	w
	ds	20
