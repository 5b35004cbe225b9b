        org 5
        db 1
start1: db 2
        end start1
        db 3
        garbage here
