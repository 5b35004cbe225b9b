; atmega328p
; Bytes from -255 to 255; distances to their ends.
	ldi r16, 255
	ldi r16, -1
	ldi r16, -128
	ldi r16, -255
	subi r17, -200
	andi r18, ~5
	cbr r19, 3
	sbr r19, 0x80
	cpi r20, 'a
	adiw r30, 63
	ldd r1, Z+63
	sbi 31, 7
	in r0, 63
	lds r2, 0x8ff
	bset 7
	.skip 4000
back:	rjmp fore
	.skip 4092
fore:	rjmp back
	jmp back
near:	.skip 124
	brne near
	brne over
	.skip 126
over:
