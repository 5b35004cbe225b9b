        ldi r16, nowhere
