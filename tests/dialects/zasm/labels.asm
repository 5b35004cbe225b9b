	org 0x100
plain	nop
colon:	nop
alone
two:	dw alone,two,colon,plain
nop	ld a,1
	dw nop
Foo:	nop
foo:	nop
	dw Foo,foo
if	equ 3
low	equ 1
high	= 2
and:	nop
macro:	nop
	dw if,low,high,macro,and
org:	nop
db:	nop
	dw org,db
hx:	ld hl,hx
lx	equ 5
	ld b,lx
