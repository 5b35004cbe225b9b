        ldi r2, 1
