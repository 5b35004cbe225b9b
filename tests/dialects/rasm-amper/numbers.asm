 org &100
 ld hl,&1F : ld a,&7f : dw &C000,&ffff,5 and 3
x=&20
 db x+&f,&0
