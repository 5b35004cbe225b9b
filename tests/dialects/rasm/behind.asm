; A comma behind the last operand of a statement is not read.
 org 0
 db 1,2,
 defw 1,
 db "a", ; here too
 ds 2,7,
 call 5,
 ld a,5, : push hl,
 macro m x
 db {x}
 mend
 m 5,
