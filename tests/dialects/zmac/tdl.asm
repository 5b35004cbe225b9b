 org 100h
 adcx 5
 adcy -5
 addx 1
 subx 2
 sbcx 3
 andx 4
 xorx 5
 orx 6
 cmpx 7
 inrx 1
 dcry 2
 ldx a,5
 ldy b,-3
 stx c,5
 sty d,6
 mvix 7,8
 mviy 9,-1
 bitx 3,5
 resy 4,6
 setx 5,7
 ralx 1
 rary 2
 rlcx 3
 rrcy 4
 slax 5
 sray 6
 srlx 7
 lxix 1234h
 lxiy 1234h
 lixd 1234h
 liyd 1234h
 sixd 1234h
 siyd 1234h
 lbcd 1234h
 lded 1234h
 lspd 1234h
 sbcd 1234h
 sded 1234h
 sspd 1234h
 dadc bc
 dadc hl
 dsbc de
 dsbc sp
 dadx bc
 dadx sp
 dadx ix
 dady de
 dady iy
 inxix
 inxiy
 dcxix
 dcxiy
 pcix
 pciy
 pushix
 popiy
 spix
 xtiy
 cci
 ccir
 ccd
 ccdr
 outir
 outdr
 im0
 im1
 im2
 ldai
 ldar
 stai
 star
 exaf
 inp a
 outp b
lq: jrnz lq
 jrz lq
 jrnc lq
 jrc lq
 rlcr a
 rrcr (hl)
 ralr b
 rarr c
 slar d
 srar e
 srlr h
 setb 3,a
 setb 4,(hl)
 pfix
 pfiy
 jp nv,5
 call v,5
 ret nv
 ld a,5(ix)
 ld -3(iy),b
 bit 3,2(ix)
 inc (ix)
 set 1,(ix+2),b
 rlc (ix+2),c
 ld a,ixh
 ld xl,5
 ld hx,b
 in (c)
 out (c),0
 in f,(c)
 ld a,(hl')
 rra'
 ex af,af'
 exx
 push af'
