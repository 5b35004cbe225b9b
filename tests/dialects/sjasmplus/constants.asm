a       equ 1
b       = 2
c       defl 3
d:      equ a+1
e:      = b*2
        db a,b,c,d,e
b       = b+5
c       defl c+1
        db b,c
f       equ later+1
        db f
later   equ #20
g = 9
        db g
h+1     ld a,5
        dw h
size    equ $-h
        db size
