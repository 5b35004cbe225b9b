; A segment without an address starts behind the one before, however that grows.
#target bin
#code ONE,0
	nop
#code TWO
two:	dw two,three
#code THREE,*,12
three:	db 3
#code ONE
	inc a
	ds 3
	.area TWO
	dw TWO_size
