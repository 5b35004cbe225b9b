; A label on the line of `org`, `align` and `even` is where that leads to.
start: org $110
 dw start
 nop
up: align 4
 dw start,up
 nop
next even
 dw next
.local: org $140
 dw .local
room: ds 2
 dw room
there: rorg $4000
 dw there
back: rend
 dw back
