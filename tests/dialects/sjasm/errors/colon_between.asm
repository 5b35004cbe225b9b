 nop : nop
