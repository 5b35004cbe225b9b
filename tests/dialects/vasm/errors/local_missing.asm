a: nop
.x nop
b: jr .x
