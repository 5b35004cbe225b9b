 dup 2
 nop
