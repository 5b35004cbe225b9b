	org 0
foo:	nop
1$:	jr 1$
	jr 2$
2$:
	djnz 1$
bar:	nop
1$:	jr 1$
	jp 10$
10$	ret
