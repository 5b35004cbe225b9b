l1      equ 1
l1      equ 1
