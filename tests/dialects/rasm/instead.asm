 ld bc,de : ld de,hl : ld hl,bc : ld bc,ix : ld iy,de
 ld hl,sp
 ld hl,(ix+5) : ld (iy-3),bc : ld de,(iy)
 ex hl,de : ex hl,(sp) : ex ix,(sp) : ex af,af : exa : ex af,af'
 rl bc : rr de : sla hl : sra bc : srl de : sll hl : rlc bc : rrc hl : srl8 hl
 sl1 b : shl c : shr d
 nop 4 : nop : ldi 3 : outi 2 : halt 2 : ini 2 : rlca 3
 push bc,de,hl : pop hl,de,bc,af : inc a,b,hl : dec c,de
 in 0,(c) : in f,(c) : out (c),0
 in a,(5) : out (6),a
 ld hx,5 : ld lx,b : ld xh,c : ld yl,d : ld iyl,iyh : ld ixl,ixh
 add b : adc c : sub d : sbc e : and h : cp l : add a,b : sub a,c : sbc a,d
 rst 8 : rst #38 : rst 1*8
 rlc (ix+1),b : set 2,(iy+3),c : res 1,(ix+2)
 jp (hl) : jp (ix) : jp ix
 ld a,(hl) : ld (#4000),a
 inc ix,iy : add hl,de
 im 0 : im 1 : im 2
 sub (ix+4) : bit 7,(hl)
 oti : otd : otir : ldir
 ret nz : call z,5 : jr $ : djnz $
