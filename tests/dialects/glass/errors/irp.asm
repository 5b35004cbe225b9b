 IRP 5, 1
 nop
 ENDM
