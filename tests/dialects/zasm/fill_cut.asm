; A byte that room is filled with is cut.
 org 0
 db 1
 ds 2,256
 ds 2,300
 defs 2,-300
 align 8,257
 org 12,511
 db 2
