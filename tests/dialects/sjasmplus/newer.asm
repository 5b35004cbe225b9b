; what newer versions have
 db 5<?3,5>?3,1+2<?9*2,3<?2<4
 dd -1>>>4,-8>>1
>lab: nop
  >lab2: dw lab,lab2
a+*: ld a,5
b+*: jp nz,#1234
c+*: ld ix,5
d+*: ld (ix+3),7
e+*: jr $
f+*: ld (#5678),a : nop
 dw a,b,c,d,e,f
 jp nz,#1234,z,5,7
 jr nz,$,$,z,$
 call #1234,5
 db __COUNTER__,__COUNTER__,__INCLUDE_LEVEL__
 mulub a,b
 muluw hl,bc
 muluw hl,sp
 OPT push --zxnext=cspect
 break
 exit
 OPT pop
 OPT push --syntax=M
 ld a,m
 inc M
 jp m,5
 OPT pop
m1 macro
@.kip ld a,1
.own ld b,1
 endm
hoi m1
 dw hoi.kip
 OPT --dirbol
.2 ld c,1
