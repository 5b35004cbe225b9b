; sections by their older name
	psect	text
	ld	hl,x
	psect	bss
x:	defs	2
	.bss
y:	defs	3
	psect	data
	dw	x,y
	psect text
	ret
