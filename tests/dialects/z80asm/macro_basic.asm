print:	macro str
	ld hl,str
	endm
none:	macro
	ret
	endm
	print 1234h
	print $+5
lab:	print lab
	none
