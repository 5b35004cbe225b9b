; atmega328p
; Registers by number and by name of a number.
tmp = 18
__zero_reg__ = 1
	.set ptr, 30
	mov 16, tmp
	add tmp, __zero_reg__
	ldi tmp, 5
	push tmp+1
	movw 24, ptr
	adiw 24, 3
	lpm tmp, Z+
	ld tmp, X
	st -Y, __zero_reg__
	std Z+5, tmp
	out 0x3f, tmp
	sbrc tmp, 3
	mul tmp, 2
	muls 17, tmp
	.set tmp, 20
	inc tmp
	clr r01
	ldi XL, 1
	ldi r31, 2
	ld r0, x+
	ldd r4, y+63
	ld r5, z
