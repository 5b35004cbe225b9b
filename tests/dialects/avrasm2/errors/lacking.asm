.device ATtiny13
        mul r0, r1
