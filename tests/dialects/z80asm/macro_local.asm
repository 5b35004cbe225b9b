wait:	macro count
	ld b,count
.l:	djnz .l
	endm
	wait 5
	wait 6
.l:	jr .l
