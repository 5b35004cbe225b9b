 ds 5
 org 100h
 db 1
 ds 3
 db 2
 phase 8000h
p1: dw p1
 ds 2
p2: jp p2
 dephase
after: dw after
 org 10eh
 db 9
 org 100h
 ds 4
 dw late
 ds 10
late: ds 5
 org 120h
 db 3
 ds 100
