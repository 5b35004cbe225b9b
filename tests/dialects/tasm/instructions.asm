	sub b
	add a,b
	and c
	jp (hl)
	jp (ix)
	ex af,af'
	ld a,(5)+1
	ld b,(5+1)
	rst 8
	im 1
	ld hl,(5)
	ld (6),a
	ld (ix+1),5
	ld (iy-1),b
	bit 7,(ix+1)
	in a,(1)
	out (2),a
	in b,(c)
	out (c),d
	ret nz
	call po,5
	ldir
	push af
	.end
