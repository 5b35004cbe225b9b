m: MACRO ?a
 db ?a
 ENDM
 m
