a1: b1: nop
