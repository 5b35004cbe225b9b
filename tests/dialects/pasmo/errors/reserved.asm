c       equ 5
