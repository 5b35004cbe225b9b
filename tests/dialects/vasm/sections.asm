; A section begins at 0, and goes on where it was left.
 section code
start: nop
 org 10h
 dw start, $
 section code
more: dw more
 org 20h,5
 db 1<<33, 1<<32, 8>>33, -8>>33
