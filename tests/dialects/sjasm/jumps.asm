; Jumps of the length that they need.
 org 100h
la: jr. lb
 ds 124
 jp. z,lb
lb: djnz. lc
 ds 126
 jr. !c,la
lc: djnz. la
 jr. nz,la
 jp. m,la
 jp.no la
1 nop
 jr. 1b
 jr. 1f
1 nop
ld: jr. le
 jr. lf
 jr. le
 ds 123
le: nop
lf: nop
