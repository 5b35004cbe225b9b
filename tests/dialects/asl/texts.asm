; texts: escapes, values in them, functions
	cpu	z80
name	equ	"scrimp"
ten	equ	10
	db	"a\n\r\t\a\b\e\\\"\'\h\i",0
	db	"\x41\65\0101"
	db	"ten is \{ten} and \{ten*2}: \{name}"
	db	name,strlen(name),substr(name,1,3),substr(name,2,0)
	db	upstring(name),lowstring("ABC"),strstr(name,"imp"),strstr(name,"x")
	db	charfromstr(name,2),name="scrimp",name<>"x"
	db	name+"!"
	dw	"AB",'AB',"A",'A'
	db	val("1+2"),sgn(-4),abs(-5)
	db	bitcnt(255),firstbit(40),lastbit(40),bitpos(64)
	outradix 10
	db	"\{ten*25}"
