 repeat 2
 nop
