; Blinks an LED, twice a second.
; In: nothing. Out: nothing. Clobbers: r16 to r20 and flags.

        include <avr/device.asm>        ; names of the device's registers and bits

F_CPU:  equ @clock              ; Hz, as [board] in program.toml has it
ROUNDS: equ F_CPU / 4 / 200000  ; of 200,000 clocks, between two changes

start:  ldi r20,1 << P@port@bit
        out DDR@port,r20            ; the pin is an output
blink:  in r16,PORT@port
        eor r16,r20
        out PORT@port,r16
        ldi r19,ROUNDS
        clr r18
        clr r17
wait:   dec r17                 ; 256 times 3 clocks
        brne wait
        dec r18
        brne wait
        dec r19
        brne wait
        rjmp blink
