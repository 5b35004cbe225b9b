; A name that a later line defines nearer by is meant, not one above of the same name
; further out.
 macro m
 jr .done
 dw .done,.done-$
 ld hl,.done+1
 nop
.done: ret
 endm
 macro outer
 jr .done
 m
.done: nop
 jp .done
 endm
 org $100
main:
.done: nop
 m
 jr .done
 outer
x: nop
 dw x
 module inside
 dw x, main
 ld a,(x)
x: nop
 dw x
 module deeper
 ld hl,x
x: jp x
 endmodule
 dw x, deeper.x
 endmodule
 dw x
