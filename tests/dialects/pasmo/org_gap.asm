        org 100h
        db 1
        org 108h
        db 2
