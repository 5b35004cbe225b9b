	org 0
m1	macro &x,&y
	ld &x,&y
l&y:	nop
	endm
	m1 a,5
	m1 b,6
	dw l5,l6
	.macro m2 r
	ld \r,5
	.endm
	m2 c
	macro m3 r,n
	ld \r,\n
	db "\n"
	endm
	m3 d,7
m4	macro rr,nn
	ld rr,nn
	ld &rr,&nn+1
	endm
	m4 hl,1+2
m5:	macro
	nop
	endm
	m5
lab:	m5
	dw lab
m6	.macro %v
	db %v
	.endm
	m6 "hi, it"
	m6 <1,2,3>
outer	macro &n
	m4 de,&n
	m5
	endm
	outer 9
