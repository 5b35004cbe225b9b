 org 5
 nop
 org 2
 nop
