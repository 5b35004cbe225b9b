; names from below in instructions and data
.device ATmega8
        rjmp later
        ldi r16, low(later)
        lds r17, var
        .dw later, var, size
        ldi r18, later-here
here:   nop
later:  ret
.dseg
var:    .byte 3
.equ size = 12
