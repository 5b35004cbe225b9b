x set 1
x equ 2
