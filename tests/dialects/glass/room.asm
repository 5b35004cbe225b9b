; room, sections and addresses
	org 4000H
rom:	ds 30H, 0FFH
ram:	ds VIRTUAL 100H
rom2:	ds 10H
	SECTION rom
	ld hl,value
	call far
	SECTION ram
value:	dw 1
	ENDS
	jp there
	ENDS
	SECTION ram
more:	ds 5
last:	db 7
	ENDS
	SECTION rom2
far:	ret
	ENDS
	SECTION rom
there:	ld (more),a
	ld hl,last
	ENDS
	dw $, rom, ram, rom2
	ds 3
	ds 2, 55H
	dw $
	ds virtual 20H
	dw $
	org 100H
	dw $
	org 4000H
small:	ds 4
	dw small, $
	SECTION small
	db 1, 2
	ENDS
	SECTION below
	dw 1234H, $
	ENDS
	nop
below:	ds 8, 9
	ds 0
pad:	MACRO ?to
	ds ?to - $, 0EEH
	ENDM
	pad 4030H
