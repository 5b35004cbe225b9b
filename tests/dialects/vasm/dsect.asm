 org 5
 dsect
aa: ds 2
bb: db 0
 dend
 db aa,bb
 dsect
 org 100
cc: dw 0
dd1: ds 3
 dend
 dw cc,dd1,$
 dsect
ee: ds 1
 dend
 db ee
 roffs 20
 db 1
 org $40,0
 db 2
