m: MACRO ?a
 db ?a
 ENDM
 m 1, 2
