; The one output has a name; addresses begin at the first `ORG` in it.
x equ 5
 output "named.bin"
lab dw lab,$
 org 100h
 dw $,lab
