x nop
x nop
