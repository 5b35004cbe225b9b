 org 0
 ld a,300
