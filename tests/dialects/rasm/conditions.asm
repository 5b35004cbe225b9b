v=5
 if v==5 : db 1 : else : db 2 : endif
 if v>7
 db 3
 elseif v>4
 db 4
 else
 db 5
 endif
 ifnot v : db 6 : else : db 7 : endif
 ifdef v : db 8 : endif
 ifndef v : db 9 : else : db 10 : endif
 ifdef later : db 11 : else : db 12 : endif
 ifused later : db 13 : else : db 14 : endif
 dw later
 ifused later : db 15 : endif
later nop
 ifdef later : db 16 : endif
 ifnused never : db 17 : endif
 if v && v<6 || 0 : db 18 : endif
 switch v
 case 4 : db 40
 case 5 : db 50
 case 6 : db 60 : break
 case 7 : db 70
 default : db 80
 endswitch
 switch 9
 case 1 : db 1 : break
 default : db 99
 endswitch
 if 0
 if 1 : db 1 : endif
 macro hidden : nop : mend
 else
 db 19
 endif
 if 1
 if 0 : db 20 : else : db 21 : endif
 endif
 assert v==5
 assert v<10,text
 print "value",v
