	ld bc,1234h
	ld de,(1234h)
	ld hl,(1234h)
	ld sp,(1234h)
	ld ix,1234h
	ld iy,(1234h)
	ld (1234h),bc
	ld (1234h),hl
	ld (1234h),sp
	ld (1234h),iy
	ld sp,hl
	ld sp,ix
	push bc
	push af
	push ix
	pop iy
	ex de,hl
	ex af,af'
	exx
	ex (sp),hl
	ex (sp),ix
	inc bc
	dec ix
	ldi
	ldir
	ldd
	lddr
	cpi
	cpir
	cpd
	cpdr
