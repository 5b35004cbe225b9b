; Instructions that are the same with other arguments, and those that only look so.
        macro put r,v
        ld r,v
        ld hl,v
        jr $+v
        endmacro
        macro far v
        ld bc,v
        djnz v
        endmacro
five    equ 5
        org 0
        put a,5
        put a,5
        put a,five
        put b,5
        put (hl),5
here    far here
        far $
        far $
        far here
        define word a,7
        define value 5
        ld word
        ld a,value
        define value 9
        ld a,value
        xdefine word b,8
        ld word
        define word c,9
        ld word
        ld c,9
