; nothing is reserved
and:	nop
hl:	equ 5
a:	equ 6
db:	nop
	ld hl,hl
	ld b,a
	db a,hl
	dw and,db
