; the false part is not assembled: unknown words are no matter
        if 0
        frobnicate x, y
lab:    db 1
        if 1
        db 2
        else
        db 3
        endif
        endif
lab:    db 4
        dw lab
