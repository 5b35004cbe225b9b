	org 0
#define FIVE 5
#define DEFB .byte
	DEFB FIVE
	.byte 1
	.word 2
	defw 3
	.dw 4
	.db 5
	.ds 1
	.block 2
	LD A,B
	Nop
*LIST ON
	title "x"
	.nolist
lab	.equ 9
	db lab
