	opt push --dirbol
db 1
	opt pop
db:	nop
	push bc,de
	pop bc,de
	opt push --reversepop
	pop bc,de,hl
	opt push reset
	pop bc,de
	opt pop
	pop bc,de
	opt pop
	opt listoff --syntax=a
	push bc,,de
	ld a,1,,b,2
	sub a,,b
	opt reset --syntax=abf
	xor a
	opt liston
