mm:	macro p q
	db p
	endm
	mm 1
