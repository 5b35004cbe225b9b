; spellings of instructions that only AS has, and others it takes
	cpu	z80undoc
	exa
	exd
	ex	af,af'
	ex	de,hl
	jp	nv,1
	jp	v,1
	call	ns,1
	ret	s
	in	a,5
	in	a,(5)
	out	5,a
	out	(5),a
	in	a,(c)
	out	(c),b
	in	(c)
	out	(c),0
	slia	a
	sls	b
	sl1	c
	sli	(hl)
	rlc	b,(ix+1)
	rlc	(ix+1),b
	set	2,(iy+3),c
	res	c,2,(iy+3)
	ld	a,ixu
	ld	iyu,b
	ld	ixl,5
	and	a,b
	sub	a,5
	xor	a,(hl)
	cp	a,(ix-2)
	jp	(hl)
	jp	(ix)
	ld	a,(ix+0)
	ld	(ix),a
	neg
	cpl
	neg	a
	rst	38h
	im	2
	ld	a,(1234h)
	ld	hl,(1234h)
	ld	a,2^3
	ld	a,(ix+2^3)
	bit	7,a
	add	hl,bc
	adc	a,b
	sbc	hl,de
	push	af
	ld	sp,hl
	add	ix,ix
