	.module a
	.globl other
	.area _CODE
_main::
	call other
	ld hl,#_table
	ld a,#count
1$:	djnz 1$
own:	ret
	.area _DATA
_table::	.ds 3
count == 5
