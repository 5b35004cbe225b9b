; ORG at the end writes nothing
        org 5
        db 1
        org 100h
