	ldi r15, 1
