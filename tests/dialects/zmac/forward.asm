 org 100h
size equ last-first
 ds size
first: jp last
 if size gt 3
 db 1
 endif
 db high last,low last
last: nop
