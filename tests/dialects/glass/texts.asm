; names that are no numbers
reg: equ b
m1: equ (hl)
i1: equ ix
t: equ "text"
g: equ (5)
	ld reg,5
	ld a,m1
	ld (i1 + 3),a
	push i1
	db t, t
	ld a,g
	ld a,g + 1
	db "abc"[1], (7, 8, 9)[2], t[0]
	jp !z,1
	jr !nc,$
	db (1, (2, 3)), 4
	inc (m1)
	db 5
