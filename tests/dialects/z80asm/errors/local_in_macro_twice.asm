.l:	nop
mm:	macro
.l:	nop
	endm
	mm
