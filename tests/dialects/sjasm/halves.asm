; Names that are halves of index registers or operators in sjasmplus are names; a macro ends with
; `endmacro`.
hx equ 33
xl equ 34
 org 0
 macro k
 ld e,hx
.y: jr .y
 endmacro
 k
 ld a,xl+1
 k
abs: dw abs,abs+1
