wait    macro n
        local loop
        ld b,n
loop:   djnz loop
        endm
        wait 5
        wait 6
loop:   jr loop
