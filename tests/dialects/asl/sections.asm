; sections
	cpu	z80
x	equ	1
	section	one
x	equ	2
	public	shared
	db	x,x[],x[one]
shared:	nop
lab:	jr	lab
	forward	y
	db	y
y	equ	5
	section	inner
lab:	jr	lab
	jr	lab[parent0]
	public	deep:one
deep:	nop
	dw	deep
	endsection
	dw	deep
	endsection	one
y	equ	6
	db	x,y
	dw	shared
	section	two
lab:	jr	lab
	db	x
	dw	lab
	global	out
out:	nop
	endsection
	dw	two_out
