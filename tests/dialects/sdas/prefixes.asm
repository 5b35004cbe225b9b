 .area C (ABS)
 .org 0
; A prefix of a base alone is 0.
 .db 7,0x,9
 bit 0x,a
 ld a,#0b
 .db 0x+1,0o,0q,0d,0h
