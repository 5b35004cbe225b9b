        org 0
        db 1,2,3,4
        org 1
        db 9,9
        org 8
        ds 2
