bc nop
