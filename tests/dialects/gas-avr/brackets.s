; atmega328p
; Square brackets group.
	ldi	r16,[5]
	ldi	r16,lo8([5+1]*2)
	lds	r16,[0x100]+1
	ldd	r16,Z+[5]
	rjmp	[x+2]
	rjmp	.+[2]
x:	.byte	[1+2]*3, 2*[[3]]
	.word	(2+[3])
