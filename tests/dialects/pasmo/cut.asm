; values are cut without a message
        db 256, 300, -1, -128, -300, 1234h
        ld a,300
        ld b,-200
        dw 70000
        in a,(300)
