	cpu	z80
	section	one
x	equ	1
	endsection
	db	x
