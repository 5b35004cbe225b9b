.device ATmega8
.equ one = 1
.def temp = r16
.if one == 1
        ldi temp, 1
.else
        ldi temp, 2
.endif
.if one > 1
        .if foo
        .endif
        ldi temp, 3
.elif one == 1
        ldi temp, 4
.else
        ldi temp, 5
.endif
.ifdef one
        ldi temp, 6
.endif
.ifndef two
        ldi temp, 7
.else
        ldi temp, 8
.endif
.if defined(one) && !defined(two)
        ldi temp, 9
.endif
.if 0
        this is left out
.endif
