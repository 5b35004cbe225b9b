; words of the 8080 with operands of the Z80's
 org 100h
 cmp a,1
 cmp a,b
 cmp a,(hl)
 cmp (hl)
 cmp a,(ix+1)
 cmp a,ixh
 cmp iyl
 cmp 5
 cmp a
 ana a,1
 ana a,b
 ana (ix+2)
 ora a,b
 ora (ix+4)
 ora a,(hl)
 xra a,1
 xra ixl
 sbb a,b
 sbb a,5
 sbb (hl)
 sbb a,(iy-1)
 jmp (hl)
 jmp (ix)
 jmp there
 jmp nz,there
there:
 cmp a,c
 cmp a,low there
