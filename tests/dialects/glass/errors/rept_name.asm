 REPT 2, 5
 nop
 ENDM
