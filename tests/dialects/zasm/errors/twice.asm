 org 0
a1: nop
a1: nop
