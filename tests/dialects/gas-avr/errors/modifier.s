	ldi r16, lo8(1
