        macro first, p1, p2
        db p1, p2
        endm
second  macro p1
        ld a,p1
        endm
third:  macro
        ret
        endm
        first 1, 2
        second (hl)
        second (ix+5)
        second 'x'
        third
lab:    first 3, 4
lab2    second 5
        dw lab, lab2
