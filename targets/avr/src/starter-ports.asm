; Blinks an LED, twice a second.
; In: nothing. Out: nothing. Clobbers: r17 to r20 and flags.

        include <avr/device.asm>        ; names of the device's registers and bits

F_CPU:  equ @clock              ; Hz after a reset, as [board] in program.toml has it
ROUNDS: equ F_CPU / 4 / 200000  ; of 200,000 clocks, between two changes

start:  ldi r20,1 << @bit
        sts PORT@port_DIRSET,r20        ; the pin is an output
blink:  sts PORT@port_OUTTGL,r20        ; a one turns the pin over
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
