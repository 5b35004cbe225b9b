; Sizes behind the sign without a blank are decimal.
 org 100h
 map 0f000h
a: #29
b: #10h
c #c1
d: # #10
e: #1+#10
f #1
c1 equ 7
 dw a,b,c,d,e,f
