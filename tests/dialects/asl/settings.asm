; tables of characters, forms of numbers
	cpu	z80
	charset	'a','z','A'
	db	"Hello",'b'
	charset	'0',"9876543210"
	db	"0189"
	charset
	db	"Hello"
	codepage	other
	charset	'x','y'
	db	"x"
	codepage	standard
	db	"x"
	codepage	third,other
	db	"x"
	codepage	standard
	radix	16
	db	10,0ff
	radix	10
	relaxed	on
	db	$12,0x12,%101,12h,@17,0b11
	relaxed	off
	intsyntax	+0xhex,+$hex
	db	0x1f,$1f
	enum	red,green,blue=7,grey
	nextenum	white
	db	red,green,blue,grey,white
	enumconf	2
	enum	c0,c1,c2
	db	c0,c1,c2
v	set	5
	pushv	st,v
v	set	6
	db	v
	popv	st,v
	db	v
twice	function	n,n*2
sum	function	a,b,twice(a)+b
	db	twice(4),sum(3,4)
lo	function	n,n&255
hi	function	n,(n>>8)&255
	db	lo(after),hi(after)
after:	db	true,false
	save
	cpu	8080
	mvi	a,5
	restore
	ld	a,5
