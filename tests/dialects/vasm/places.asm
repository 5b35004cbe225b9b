 org $20
 db 1
 org $10 ; sections are sorted
aa: db 2
 rorg $8000
bb: dw bb,$
cc: db 3
 rend
dd1: dw cc,dd1
 phase $9000
ee: dw ee
 org $30
ff: dw ff
 org $+2
gg: dw gg
