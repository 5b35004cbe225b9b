	org start
	ds room
	jp later
	ld a,later-start
	dw later*2
start	equ 0x200
room	equ 3
later:	nop
