; An address within the segment: what follows lies over what is there.
 org 8000h
 db 1,2,3,4
 org 8001h
lab: dw lab+1
 org 8006h
 db 5,lab&255
 org 8005h
 db 6
 ld a,(ix+1)
 in b,(bc)
 out (bc),c
 jp (ix+0)
