# names: equates, numeric labels, words that are names
five	equ 5
six:	.equ 6
seven	= 7
eight	== 8
nine	defl 9
nine	defl nine+1
	.set ten,10
	.equ eleven,11
X	EQU 1
x	EQU 2
ld:	ld a,five
nop:	ld b,six
org:	ld c,seven
db:	ld d,eight
equ:	ld e,nine
	ld h,ten
	ld l,eleven
	ld a,X
	ld a,x
	jp ld
	jp nop+1
	call org
	.dw db,equ
1:	djnz 1b
	jr 1f
	nop
1:	jr 1b
2:	jr 1b
	jp 2b
1$:	jr 1$
a$b:	jr 2$
2$:	nop
1$:	jr 1$
	jp a$b
.local:	jp .local
_x.y:	jp _x.y
	ld hl,later
later	= 0x1234
	ld a,later2+1
later2	= 3
