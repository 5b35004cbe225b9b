a equ 1
a equ 2
