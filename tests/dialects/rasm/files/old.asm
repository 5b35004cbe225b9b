 buildsna v2
 bank 4
 org #4100
 dw $ : ds 16,1
 bank 1
 org #c005 : dw $
 run #4000
