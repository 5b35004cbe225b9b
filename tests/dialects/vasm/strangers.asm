; `'''` is a quote; `&b1` is a number of base 16; the name nearest by is meant, above its line too.
 org $100
 db ''',1
 db "F",'''+$80,1
 ld a,'''
 db '''',''''''
 dw &b0,&b101,&B1
main:
.x: nop
 inline
 jr .x
 dw .x
.x: nop
 einline
 jr .x
