; The accumulator before what is shifted says nothing.
	.area _CODE
	rl a,(hl)
	rl a,b
	rlc a,a
	rlc A,c
	rr a,5 (ix)
	rrc a,-3(iy)
	sla a,(iy)
	sla a
	sra a,d
	srl a,(hl)
	srl (hl)
