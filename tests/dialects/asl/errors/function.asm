	cpu	z80
f	function	n,n*2
	db	f(1,2)
