        org 0
        nop
        .8080
        .z80
