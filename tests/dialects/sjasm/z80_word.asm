; The listing of Z80 code, asked for.
 Z80
z80 nop
 dw z80
