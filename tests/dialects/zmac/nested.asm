 org 0
two macro a,b
 irp x,<a,b>
 rept 2
 db x
 endm
 endm
 endm
 two 1,2
 two <3,4>,5
mif macro
 db 77
 endm
chk macro a
 ifeq a,1
 db 1
 exitm
 endif
 db 2
 endm
 chk 1
 chk 2
 irpc d,1234
 dw 1&d&h,0&d&&&d
 endm
str macro s
 db s,"&s"
 endm
 str 'a'
esc macro x
 db '^x','&x'
 endm
 esc 5
hash macro #p
 db #p,"#p"
 endm
 hash 6
two macro a
 db a
 endm
 two 9
