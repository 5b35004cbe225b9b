 equ 5
