 org 0
x equ 1
x equ 2
