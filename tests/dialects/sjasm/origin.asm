; Lines before the first org are where that leads to.
 dw $
l: dw l, last
k equ $
 ds 3
 org 4000h
 dw $, k, l
 org 100h
last: dw $, last
