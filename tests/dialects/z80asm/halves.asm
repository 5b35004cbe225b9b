	ld b,ixh
	ld c,ixl
	ld ixh,b
	ld ixl,5
	ld iyh,iyl
	ld h,ixl
	ld ixl,h
