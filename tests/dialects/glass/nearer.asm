; A name that a later line defines in the procedure, macro call or repeat is meant there, not
; one above outside of it; in an argument it is the caller's.
 org 100H
x: nop
p: PROC
 dw x
 jr x
 ld hl,x+1
x: nop
 dw x
 ENDP
 dw x,p.x
m: MACRO ?a
 ld hl,x
 jr x
 ld bc,?a
x: nop
 ENDM
 m x
 m p.x
q: PROC
 dw x
r: PROC
 dw x
x: nop
 ENDP
 m x
 dw x
x: nop
 ENDP
 REPT 2
 dw y
y: nop
 ENDM
y: nop
 REPT 2
 dw y
y: nop
 ENDM
