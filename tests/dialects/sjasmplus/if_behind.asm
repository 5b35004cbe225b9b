; Nothing is read behind the value of a condition.
two equ 2
    IF two eq 3
    db 1
    ELSEIF 1 more
    db 2
    ENDIF
    IFN 0, 5
    db 3
    ELSE
    db 4
    ENDIF
    IF two - 2 ) junk
    db 5
    ELSEIF two == 2 ! 7
    db 6
    ENDIF
