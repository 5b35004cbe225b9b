; Counts and macros whose names stand below, conditions on names, comments.
    org #4000
start:
    PUT         // a call, and no label
    PUT
    LOAD 7      /* with an argument */
    ds ((($-1)/#40)+1)*#40-$ - (mark_end - mark_start)
mark_start:
    db "MARK",#0c
mark_end:
    ifdef mark_end
    db 1
    else
    db 2
    endif
    ifndef nobody
    db 3
    endif
    rept 2
    inc hl
    endr
    dd #12345678, -1
    db 1 ? 2 : 3

PUT: macro
    add a,l
    jr nc,$+3
    inc h
    endm
LOAD: macro ?n
    ld b,?n
    endm
