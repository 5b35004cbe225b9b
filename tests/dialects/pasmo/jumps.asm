        org 8000h
l1:     jp l1
        jp nz,l1
        jp pe,l2
        jp m,l2
        jp (hl)
        jp (iy)
        jr l1
        jr c,l2
        jr nc,l1
        djnz l2
        call l2
        call po,l1
        ret
        ret z
        reti
        retn
        rst 0
        rst 38h
        rst 8*2
l2:     in a,(5)
        in b,(c)
        in a,(c)
        out (5),a
        out (c),l
        ini
        inir
        ind
        indr
        outi
        otir
        outd
        otdr
