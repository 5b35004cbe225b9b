 ld a , ( hl )
 Ld A,5 : LD (IX-5+2),a
 ld a,(ix+5-2) : ld a,(ix)
 ld a,(iy-(3))
 add b : add 5 : sub a,5 : and a,b : cp a,5 : xor a,(hl)
 in a,(c) : in (c) : in f,(c) : out (c),0 : out (c)
 ex af,af' : jp hl : jp (ix) : jp iy
 sll b : sll (iy+2)
 ld ixh,5 : ld a,iyl : inc ixl
 rst $38 : rst 8 : im 2
 bit n,a : set n,(hl)
n = 3
 jp nz,5 : jr c,$ : djnz $ : call m,$ : ret pe
 ld bc,70000-65536
 out (-1),a : in a,(255) : ld a,-128
 adc hl,bc : sbc hl,sp : add ix,bc
 push af : pop iy : ex (sp),ix : ld sp,ix
 reti : retn : neg : rld : otir : ldd
