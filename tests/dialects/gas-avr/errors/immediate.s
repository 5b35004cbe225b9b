	ldi r16, 256
