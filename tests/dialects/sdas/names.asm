; names: values, reusable labels, words that are names
	.area _CODE
five = 5
six == 6
seven .equ 7
	.equ eight,8
	.gblequ nine,9
ten =: 10
X = 1
x = 2
x = x+1
ld:	ld a,#five
nop:	ld b,#six
add:	ld c,#seven
	ld d,#eight
	ld e,#nine
	ld h,#ten
	ld l,#X
	ld l,#x
	jp ld
	jp nop+1
	call add
1$:	djnz 1$
	jr 2$
2$:	jr 1$
a.b$c:	jr 1$
00001$:	jr 1$
	jp a.b$c
.x:	jp .x
_main::	jp _main
one: two: nop
	.dw one,two
	ld hl,#later
later = 0x1234
	ld a,#<later2
	ld a,#>(later2 + 1)
	jp later2
later2:
