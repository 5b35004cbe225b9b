#!/usr/bin/zasm --reqcolon
	org 0
nop
  lab: inc a
jp lab
x equ 5
ld b,x
y = 6
db y
.db 7
if x
db 8
endif
m macro &v
ld c,&v
endm
m 9
