x: equ 1
x: equ 2
