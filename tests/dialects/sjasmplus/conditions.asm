one     equ 1
        if one
        db 1
        else
        db 2
        endif
        ifn one
        db 3
        elseif one=1
        db 4
        else
        db 5
        endif
        if 0
        if 1
        db 6
        else
        db 7
        endif
        elseif 0
        db 8
        else
        db 9
        endif
        ifdef x
        db 10
        endif
        define x
        ifdef x
        db 11
        endif
        ifndef y
        db 12
        endif
        if later > 3 : db 13 : else : db 14 : endif
later   equ 5
        .if 1
        db 15
        .endif
        undefine x
        ifdef x : db 16 : endif
