p1: PROC
x: nop
 ENDP
 jp x
