; addresses in flash count words, .dw of a label is one
.device ATmega16
start:  rjmp over
        jmp far
        call start
over:   ldi r30, low(table*2)
        ldi r31, high(table*2)
        ldi r28, low(table)
        brne over
        brcs pc+2
        rjmp pc-1
        rcall start
        rjmp PC
.org 0x123
far:    ret
table:  .dw start, over, far, table
        .dw table+1, table*2, far-over
