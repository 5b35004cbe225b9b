; every group of instructions, as sdcc writes them
	.module instructions
	.area _CODE
start:	nop
	ld a,b
	LD H,L
	ld a,(hl)
	ld (hl),e
	ld (hl),#5
	ld a,5 (ix)
	ld -5 (iy),c
	ld a,(ix)
	ld 6(ix),#0x7f
	ld 200 (ix),a
	ld a,(bc)
	ld (de),a
	ld a,(start)
	ld (start+1),a
	ld bc,#0x1234
	ld hl,#start
	ld ix,#start + 2
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
	add a,1 (ix)
	adc a,#5
	add c
	sub c
	sub a,d
	sub 2 (iy)
	sbc a,#0xff
	and #15
	and a,e
	or (hl)
	xor a,a
	cp #' 
	cp a,#'x'
	inc a
	inc (hl)
	dec -128 (ix)
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
	im #1
	im 2
	rlca
	rrd
	rlc b
	rl (hl)
	sla 3 (ix)
	srl a
	bit 7,(hl)
	bit #0,4 (iy)
	set 3,c
	res 5,-1 (ix)
	jp start
	jp nz,start
	jp (hl)
	jp (iy)
	jp 0 (ix)
	jp 0(iy)
	jr 1$
	jr c,1$
	djnz 1$
1$:	call start
	call pe,start
	ret
	ret m
	reti
	retn
	rst 0x38
	rst #8
	in a,(0x10)
	in a,(#0x11)
	in d,(c)
	out (0x20),a
	out (c),e
	outi
	indr
	halt
	di
	ei
