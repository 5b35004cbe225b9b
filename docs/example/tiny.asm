.device ATtiny85
        call delay              ; a tiny has no CALL
        ldi r5, 1
        rjmp there
delay:  ret
