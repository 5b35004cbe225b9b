a1 nop
.x nop
b1 jr .x
