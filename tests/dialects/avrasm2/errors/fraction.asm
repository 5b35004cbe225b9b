        ldi r16, 1.5
