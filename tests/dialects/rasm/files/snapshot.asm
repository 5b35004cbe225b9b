 buildsna "new.sna"
 bankset 0
 org #1000
start ld a,#e5 : db #e5,#e5,#e5,1,1,2,2,2 : ds 600,9
 org #8000,$
away jp away
 bankset 1
 org #c000
 db 1,2,3
 bank 9
 org #4002 : dw $
 bankset 0
 dw $
 run start
