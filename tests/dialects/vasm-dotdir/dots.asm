 .org $100
x: .byte 1,2
y .equ 5
z = 6
 .macro m,a
 .byte \a
 .endm
 m 7
 .rept 2
 .word x
 .endr
 .if y
 .asciiz "hi"
 .else
 .byte 9
 .endif
n .set 1
n .set n+1
 .ds n,z
 db y : dw z
 .end
