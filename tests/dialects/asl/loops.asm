; loops, with labels of their own
	cpu	z80
	rept	3
lab:	djnz	lab
	endm
i	set	0
	while	i<4
	db	i
i	set	i+1
	endm
	irp	r,b,c,(hl)
	inc	r
	endm
	irpc	c,"abc"
	db	"c"
	endm
	rept	2
	rept	2
	db	1
	endm
	db	2
	endm
i	set	0
	rept	10
i	set	i+1
	if	i>3
	exitm
	endif
	db	i
	endm
m	macro	n
	rept	n
	db	n
	endm
	irp	x,1,n
	dw	x
	endm
	endm
	m	2
