; A minus before one more sign says nothing; behind a looser operator it is a sign.
	cpu	z80
x	equ	5
f	function	n,n*2
	db	--1,--x,--x*3,--5+3,(--x),-+5,-~1
	db	2=-1,5>-3,1&&-1,-1 = -1
	db	5-(-1),5-(--1),-x-1,-5/2,-5&3
	db	f(-1),3+f(-1),4*f(5-8)
	ld	(ix-1),--1
