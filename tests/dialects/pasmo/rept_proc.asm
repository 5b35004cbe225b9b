; one level for the whole loop; PROC makes labels local to each round
        rept 3
        proc
        local lo
lo:      djnz lo
        endp
        endm
