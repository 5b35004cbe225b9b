	ld hl,later
	jr later
	db later & 255, later >> 8
	dw later-1
later:	nop
