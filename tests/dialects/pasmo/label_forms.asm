        org 4000h
l1      ld a,b
l2:     ld a,c
    l3: ld a,d
    l4  ld a,e
l5
l6:
        ld a,h
nop
l7: nop
l8:equ 5
l9 equ 6
        dw l1,l2,l3,l4,l5,l6,l7,l8,l9
.z80
