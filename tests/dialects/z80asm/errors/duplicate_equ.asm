l1:	equ 5
l1:	equ 5
