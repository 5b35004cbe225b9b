; macros: arguments with names and defaults, labels of a call, shift
	cpu	z80
load	macro	reg,value=7
	ld	reg,value
	endm
wait	macro	n
	ld	b,n
again:	djnz	again
	endm
all	macro
	db	argcount
	if	argcount>0
	db	allargs
	endif
	endm
each	macro	x
	if	argcount>0
	db	x
	shift
	each	allargs
	endif
	endm
put	macro	{intlabel},a
__label__:	db	a
	endm
glob	macro	a,{globalsymbols}
lab_a:	nop
	endm
txt	macro	a
	db	"a is a",a
	endm
stop	macro	n
	db	1
	if	n=0
	exitm
	endif
	db	2
	endm
	load	a
	load	b,9
	load	value=3,reg=c
	wait	5
	wait	6
	all
	all	1,2,3
	each	4,5,6
here	put	5

	glob	1
	glob	2
	jp	lab_2
	txt	7
	stop	0
	stop	1
nop2	macro
	!nop
	nop
	endm
nop	macro
	db	0ffh
	endm
	nop2
	!nop
