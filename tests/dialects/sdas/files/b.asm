	.module b
	.globl _main
	.globl _table, count
	.area _HOME
	nop
	.area _CODE
other::
	jp _main
1$:	jr 1$
own:	ld a,(_table+1)
	ld b,#count
	ret
	.area _DATA
	.ds 1
	.area _INIT
	.dw own
