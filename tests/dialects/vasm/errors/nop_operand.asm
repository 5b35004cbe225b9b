 nop 3
