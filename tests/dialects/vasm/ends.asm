 org $10
 org $18
 db 1,00,08,019
 ld a,m : add a,M
 res 2,(iy-25),b
 ld hl,5,6
 ds 2,-255
 org $+3
 db 2
 org $30
last:
 org $+2
other:
 dw last,other
 org $40
 org $+5
