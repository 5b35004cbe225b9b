; atmega328p
; Labels that are numbers.
1:	nop
	rjmp 1b
	rjmp 1f
1:	nop
2:	brne 1b
	breq 2b
	brcs 2f
	rcall 10f
2:	ret
10:	ret
	.word 10b-1b, 2b
0:	rjmp 0b
	rjmp 0f
0:
