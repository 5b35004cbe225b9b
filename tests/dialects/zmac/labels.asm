 org 100h
start: nop
loop djnz loop
 foo ld a,5
ret
bar: ret
nop
 .x equ 5
 db .x
x1 = 3
x1 = x1+1
x1 += 10
x1++
 db x1
x1--
 db x1
x1 <<= 2
 dw x1
mx max 5,x1
mn min 5,x1
 db mx,mn
a1: nop
two:: nop
 dw two
1$: nop
 dw 1$
2x equ 7
 db 2x
set: nop
 jp set
lab set 1,a
vv set 9
 db vv
vv set 10
 db vv
 db Start and 255
 daa equ 5
 if daa
 nop
 endif
