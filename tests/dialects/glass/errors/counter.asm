p1: REPT 2, ?i
 ENDM
 db ?i
