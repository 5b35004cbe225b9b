l1	equ 5
