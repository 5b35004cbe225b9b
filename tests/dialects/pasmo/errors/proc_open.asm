        proc
        db 1
