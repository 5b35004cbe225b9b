 l1 nop
