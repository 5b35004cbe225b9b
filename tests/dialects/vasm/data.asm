 org 5
 db "AB",1,'it''s',"a""b",""
 db "a:b",';',":" : db 2 ; c:d
 dw $,$ : dw "A"
 db
 dw
 dd
 string "ab" : asciiz "c",1
 str "ab"
 fcs "ab"
 text "a" : defm "abc"
 fcc /abc/
 asc 'x',2
 dl 1 : defl 2 : di24 3 : di16 4 : di8 5
 fdb 1 : addr 2 : da 3
 ds 3,5 : blk 2,7 : blkw 2,7 : blkl 1,7 : dc 1,9 : fill 1,8
 ds 2 : dsw 1 : reserve 1
 abyte 1,2,3,"ab",'c'
 even
 db 1
 align 3
 db 2
x: ds 3
y: ds y-x
 data 1 : bss 1
 dw 70000-65536,x
