 org 0
 nop // no
