 IF 1
 nop
