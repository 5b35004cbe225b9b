; a label before ENDM belongs to the expansion
skip:	macro
	jr z,.done
	nop
.done:	endm
	skip
	skip
