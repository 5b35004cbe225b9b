; A name that a later line defines in the module is meant there, not one above outside of it;
; what has a value by `equ` or `=` above is no number, a label is one.
 org #100
x: nop
 dw x
 module m
 dw x
 ld hl,x+1
x: nop
 dw x
 endmodule
 dw x,m_x
 ld hl,each
each equ 5
 ld hl,each+1
beach = 7
 ld hl,beach
cafech: ld hl,cafech
