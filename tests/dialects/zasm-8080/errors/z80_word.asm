        org 0
        ld a,5
