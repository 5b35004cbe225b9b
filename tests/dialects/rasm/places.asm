 org #1000
a1 dw $,$$
 org #8000,$
b1 dw $,$$,b1
 db 1,2,3
 org #1020
 dw $,$$
 align 16
 dw $
 align 8,#ff
 dw $
 org #10fe
 confine 4
 dw $
 nocode
hidden ds 10
more db 1,2
 code
 dw hidden,more,$
 limit #2000
 protect #3000,#3fff
 org #1200 : db 1
