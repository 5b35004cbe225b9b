 org 0
#if 1
 nop
