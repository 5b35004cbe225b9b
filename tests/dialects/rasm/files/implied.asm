 db 1,2,3
 bank 1
 db 4 : dw $
 save "one.bin",0,3
 bank 0
 db 5 : save "zero.bin",0,1
