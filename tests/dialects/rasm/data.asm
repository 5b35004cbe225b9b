 org #100
 db 1,"two",'3',"a\tb",'it\'s',"\x41\e",5
 defb "x"+1,'a'|#80
 dm "text" : text2 defm "more"
 dw 1,"a",there,$,$-there
 defi 1,-1,#12345678
 str "Hello","you"
 str "ab",1,"cd"
there ds 3 : defs 2,5 : ds 2,1,3,2 : ds 0
 db $,$,$ : dw $,$
 charset "abc","xyz"
 db "aabbcc",'a' : str "abc"
 charset 'A','C',1
 db "ABCD"
 charset "0123",10
 db "3210" : charset
 db "abc0"
 charset 97,1 : db "ab" : charset
 defr 1,0.5,-2,3.14159,1000000,0.001
 deff 1,-0.25,12345
 df24 1,-2.5
 db 300-45,-128
