        equ 5
