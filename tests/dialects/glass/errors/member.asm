p1: PROC
x: nop
 ENDP
 jp p1.y
