l1 : nop
