; Differences over room in an area are known where they stand, whatever its address.
	.module room
	.ez80
	.area _CODE
start:	ld a,ixl
cell:	.ds 3
	nop
size	.equ .-start
pad	.equ 0x10-(size&0x0f)
	.ds pad
bios:	.db bios-start
	.if .-start-0x11
	.db 0xff
	.endif
	.area _DATA
	.db 3
	.area _CODE
late:	.ds late-cell-0x10+2
	.dw late-cell,cell
