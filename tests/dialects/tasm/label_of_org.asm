; A label on the line of `.org` is where that leads to.
start: .org 110h
 .dw start
 nop
next .org 120h
 .dw next
 .org 130h
last: .dw last
