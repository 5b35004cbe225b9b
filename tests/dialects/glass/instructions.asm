; spellings of instructions
	jp hl
	jp (hl)
	jp ix
	jp (iy)
	in (c)
	in a,(c)
	in a,(5)
	out (c),b
	out (5),a
	ex af,af'
	EX AF,AF'
	ld ixh,5
	ld a,iyl
	add a,ixl
	ld (ix),5
	ld a,(iy)
	ld (ix + 1 - 3),b
	sub b
	and 5
	cp (hl)
	ld a,(5) + 1
	ld a,300
	ld b,-1
	ld hl,-1
	rst 38H
	im 2
	bit 7,(ix + 1)
	mulub a,b
	MULUB A,E
	muluw hl,bc
	muluw hl,sp
	LD A,(HL)
	push af
	ld hl,(1234H)
	ld (1234H),hl
	ld bc,(1234H)
	ld (1234H),ix
	set 1,(hl)
	res 2,a
	sbc hl,de
	adc hl,sp
	neg
	reti
	retn
	ld i,a
	ld a,r
	rld
	ldir
	otir
	halt
