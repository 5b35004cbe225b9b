; A name in column 1 is a label, whatever it is elsewhere.
nop
ld
db	db 1 ; also the word of a directive
  inner: ld a,1 : ld b,2
 spaced = 3
 also equ 4
 ret : nop ; `ret` has a colon behind it: a label
org: halt : dw nop,ld,db,inner,ret,org
	db spaced,also
x	set 5
	set 5,a
x	set x+1
	db x
_u:	db 1
a.b	dw _u,a.b
