        org 0
        mov m,m
