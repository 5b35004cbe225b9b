	ld a,(ix+0)
	ld a,( ix + 127 )
	ld a,(iy-128)
	ld a,(ix+255)
	ld (ix-5+2),a
	ld (ix+2*3),5
	ld (iy-1),'a'
off:	equ 4
	rl (ix+off)
	set 3,(iy-off)
	inc (ix+off)
	cp (ix+off+1)
	bit 1,(ix+fwd)
fwd:	equ 6
