 org 0
nop nop
ret
 halt
db db 5
ld: ld a,1
 word dw 7
 call call 5
 dw nop,db,ld,word,call
title nothing here
IF 1
 db 9
ENDIF
 list -1
LIST 1
end1: db 1 ;end
 end end1
 db 2
