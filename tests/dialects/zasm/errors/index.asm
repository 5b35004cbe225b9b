 org 0
 ld a,(ix+128)
