mm      macro
        db 1
