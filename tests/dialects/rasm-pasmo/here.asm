 org #100
a1 dw $,$,a1,$-a1
 db 1,2,$,$
 dw $$,$$
 ld hl,$ : jr $ : djnz $
 ds 3,$
 dw $
