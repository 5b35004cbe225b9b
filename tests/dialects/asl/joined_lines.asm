; A backslash at the end of a line joins the next one, in a comment too. \
 db 0ffh
	db	1, \
	2
	nop	;/ this line and the next \
	ret
	dw	5+\
	3	; and here it ends: \ 
pair	macro	a, \
	b
	db	a, \
	b
	nop	; \
	halt
	endm
	pair	1, \
	2
	pair	3,4 ;\
	rst 0
	irp	x,1,\
2
	db	x
	endm
	rept	2
	db	1,\
	2
	endm
