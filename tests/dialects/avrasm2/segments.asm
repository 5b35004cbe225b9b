; each segment goes on where it was left
.device ATmega8
.dseg
first:  .byte 2
.cseg
        lds r16, first
.dseg
second: .byte 1
.org 0x100
third:  .byte 1
.cseg
        lds r17, second
        lds r18, third
.eseg
e1:     .db 1, 2, 3
.cseg
        ldi r19, low(e2)
.eseg
e2:     .dw 0x1234
.cseg
.org 0x20
        rjmp last
        nop
last:   .dw last, low(second), e2
