 org 100h
m macro a,b
 ld a,&a
 db b
 endm
 m b,5
 m c,1
 m c,<5,6>
mm macro p,?q
 jr ?q
 db p
?q: nop
 endm
 mm 1
 mm 2
loc macro x
 local l1,l2
l1: djnz l1
 jr l2
l2: db x
 endm
 loc 5
 loc 6
 irp r,<b,c,d>
 ld &r,1
 endm
 irpc c,abc
 db '&c'
 endm
 rept 3
 nop
 endm
jr macro x
 jp x
 endm
 jr 5
q macro x,y
 if nul &y
 db 1
 else
 db 2
 exitm
 db 3
 endif
 db %%
 endm
 q 1
 q 1,2
cat macro x
 ld`x`r
lab&x: nop
lab_&x&_q: nop
 db '&x','x',"&x&y"
 endm
 cat i
 dw labi,lab_i_q
vq defl 5
ev macro x
 db 'x=&x'
 endm
 ev %vq+1
 ev vq+1
outer macro n
inner macro k
 db n,k
 endm
 endm
 outer 3
 inner 4
 irp x,<<1,2>,<3,4>>
 irp y,<x>
 db y
 endm
 endm
nest macro
 rept 2
 irp z,<7,8>
 db z
 endm
 endm
 endm
 nest
 rept 2
 local k
k: djnz k
 endm
 m b,"a,b"
 db 1 \ db 2 \ m e,9 \ db 3
lst macro
x: endm
 lst
 dw x
