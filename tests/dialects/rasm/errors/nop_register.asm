 nop b
