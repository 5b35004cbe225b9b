 cpu z80
 db 1
 db 2
