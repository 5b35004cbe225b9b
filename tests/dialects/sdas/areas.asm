	.module areas
	.globl s__CODE,l__CODE,s__DATA,l__DATA
	.area _HEADER (ABS)
	.org 0x38
	reti
	.area _HOME
	ld hl,#_value
	.area _CODE
	ld de,#room
	call late
	.dw s__CODE,l__CODE,s__DATA,l__DATA
	.area _GSINIT
	.area _DATA
_value::	.ds 2
room:	.ds 5
	.area _OVER (REL,OVR)
	.db 1,2
	.area _CODE
	ret
	.area _OVER (REL,OVR)
	.db 3
	.area _HOME
late:	ld a,(room+1)
	ret
	.area _LAST
	.db 9
