p1: PROC
 nop
