mm:	macro one two
	db one
	dw two
	endm
	mm 1 2
	mm 3	4
