 org 0
m macro
 endm
m macro
 endm
