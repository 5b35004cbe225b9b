; `dt` makes numbers of eighty bits with a fraction of whole numbers and characters too.
	cpu z80
	org 0
	dt 5,-5,0,0.0,1.5
	dt 1<<40,12345678901
	dt 'a',"ab"
x	equ 5
	dt x
	dt 2 dup (1)
	dq 5,-1
	dd 5
