	db 1
.out:	db 2
	include "part.inc"
	dw partlab
	include 'part2.inc'
	db 3
