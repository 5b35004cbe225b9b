.nolist
.include "m8def.inc"
.list
        ldi r16, high(RAMEND)
        out SPH, r16
        ldi r16, low(RAMEND)
        out SPL, r16
        sbi DDRB, PB3
        ldi r16, (1<<RXEN)|(1<<TXEN)
        out UCSRB, r16
        ldi ZL, low(FLASHEND)
        ldi YH, high(E2END)
.org OVF0addr
        reti
.org INT_VECTORS_SIZE
        ret
