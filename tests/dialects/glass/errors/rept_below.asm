 REPT -1
 nop
 ENDM
