 org 0
#local
 nop
