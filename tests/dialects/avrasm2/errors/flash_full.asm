.device ATtiny13
.org 0x200
        nop
