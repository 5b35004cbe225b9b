	ld a,ixh
