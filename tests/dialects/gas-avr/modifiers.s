; atmega328p
; Bytes and word addresses of values.
	ldi r16, lo8(0x12345678)
	ldi r17, hi8(0x12345678)
	ldi r18, hlo8(0x12345678)
	ldi r19, hhi8(0x12345678)
	ldi r20, hh8(0x12345678)
	ldi r21, lo8(-(0x1234))
	ldi r22, hi8(-(0x1234))
	ldi r23, lo8(pm(there))
	ldi r24, hi8(pm(there))
	ldi r25, hh8(pm(there))
	ldi r26, pm_lo8(there)
	ldi r27, pm_hi8(there)
	ldi r28, pm_hh8(there)
	ldi r30, lo8(gs(there))
	ldi r31, hi8(gs(there))
	subi r26, lo8(-(buffer))
	sbci r27, hi8(-(buffer))
	ldi r16, lo8(-(pm(there)))
	cpi r16, lo8 (there)
	.word pm(there), gs(there), there
	.byte lo8(there), hi8(there), hlo8(there), hlo8(buffer)
	.skip 600
there:	ret
	.data
buffer: .skip 4
	.word there, buffer+2
