mm:	macro p,q
	db p
	endm
