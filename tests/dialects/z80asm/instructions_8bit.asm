	ld a,b
	ld h,(hl)
	ld (hl),l
	ld (hl),5
	ld a,(bc)
	ld a,(de)
	ld (bc),a
	ld (de),a
	ld a,(1234h)
	ld (1234h),a
	ld a,i
	ld a,r
	ld i,a
	ld r,a
	inc a
	dec (hl)
	daa
	cpl
	neg
	ccf
	scf
	nop
	halt
	di
	ei
	im 0
	im 1
	im 2
	rlca
	rla
	rrca
	rra
	rlc b
	rl c
	rrc d
	rr e
	sla h
	sra l
	srl (hl)
	sli a
	rld
	rrd
	bit 0,b
	set 7,(hl)
	res 1+1,a
