.device ATmega9999
        nop
