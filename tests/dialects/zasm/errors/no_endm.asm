 org 0
m macro
 nop
