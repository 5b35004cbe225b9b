; atmega328p
; Names of values: again, ahead, of addresses.
	.equ a, 3
	.set b, a*2
c = later + 1
	.byte a, b, c
	.set a, a+1
	.byte a
	.equiv d, 9
	.byte d
e == 8
	.byte e
later = 20
	.word f, g-h
h:	nop
g:	nop
f = g + 2
	rjmp f
	.weak nobody
	.word nobody
	ldi r16, lo8(nobody)
