 while 1
 nop
