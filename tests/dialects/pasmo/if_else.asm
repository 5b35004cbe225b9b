a1      equ 1
        if a1
        db 1
        else
        db 2
        endif
        if a1 = 2
        db 3
        else
        if a1 < 2
        db 4
        else
        db 5
        endif
        endif
        if 0
        db 6
        endif
        IF -1
        DB 7
        ENDIF
