x=1
x nop
