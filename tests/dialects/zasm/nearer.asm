; A name that a later line defines in the block is meant there, not one above outside of it.
 org 100h
x: nop
#local
 dw x
 jr x
 ld hl,x+1
x: nop
 dw x
#endlocal
 dw x
#local
 dw x
#local
 dw x
x: nop
#endlocal
x: nop
 dw x
#endlocal
m macro
#local
 jr x
 dw x
x: nop
#endlocal
 endm
 m
 m
 dw x
