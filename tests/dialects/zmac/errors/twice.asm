x: nop
x: nop
