; Blinks an LED at PB0 of an ATtiny85, in the language of AVRASM2.
; In: nothing. Out: nothing. Clobbers: r16, X.

#include "tn85def.inc"          ; scrimp has it: no vendor file is needed

.def temp = r16

.macro out_byte                 ; @0 = I/O register, @1 = value
        ldi temp, @1
        out @0, temp
.endm

.cseg
        out_byte SPL, low(RAMEND)
        sbi DDRB, PB0
blink:  sbi PINB, PB0           ; writing PIN toggles the line
        ldi XL, low(50000)
        ldi XH, high(50000)
wait:   sbiw X, 1
        brne wait
        rjmp blink
