        org #8000
a       dw a
        org #9000
b       dw b,$
        align 16
c       dw c
        align 8,#ee
        align
        db 1
        align 4,2
d       dw d
        disp #c000
eee     dw eee,$
        ld hl,ff
ff      jp eee
        ent
g       dw g,$,eee
        phase #100
h       dw h
        unphase
        dw $
