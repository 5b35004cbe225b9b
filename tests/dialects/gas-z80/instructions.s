; every group of instructions, as the manual has them
	.text
start:	nop
	ld a,b
	LD H,L
	ld a,(hl)
	ld (hl),e
	ld a,(ix+5)
	ld (iy-5),c
	ld a,(ix)
	ld (ix+2*3-1),0x7f
	ld a,(bc)
	ld (de),a
	ld a,(start)
	ld (start+1),a
	ld bc,0x1234
	ld hl,start
	ld ix,start+2
	ld hl,(0x1234)
	ld de,(start)
	ld (0x1234),iy
	ld (start),sp
	ld sp,hl
	ld sp,ix
	ld i,a
	ld a,r
	push af
	pop iy
	ex de,hl
	ex af,af'
	ex (sp),hl
	ex (sp),ix
	exx
	ldir
	cpdr
	add a,b
	add a,(hl)
	add a,(ix+1)
	adc a,5
	sub c
	sub (iy+2)
	sbc a,0xff
	and 15
	or (hl)
	xor a
	cp ' '
	inc a
	inc (hl)
	dec (ix-128)
	inc bc
	dec iy
	add hl,sp
	adc hl,de
	sbc hl,bc
	add ix,ix
	add iy,de
	daa
	cpl
	neg
	ccf
	scf
	im 0
	im 1
	im 2
	rlca
	rrd
	rlc b
	rl (hl)
	sla (ix+3)
	srl a
	bit 7,(hl)
	bit 0,(iy+4)
	set 3,c
	res 5,(ix-1)
	jp start
	jp nz,start
	jp (hl)
	jp (iy)
	jr start2
	jr c,start2
	djnz start2
start2:	call start
	call pe,start
	ret
	ret m
	reti
	retn
	rst 0x38
	rst 8
	in a,(0x10)
	in d,(c)
	in (c)
	in f,(c)
	out (0x20),a
	out (c),e
	outi
	indr
	ld a,ixh
	ld iyl,5
	add a,ixl
	inc iyh
	halt
	di
	ei
