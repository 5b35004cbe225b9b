; comments of three kinds
 org #4000
start ld a,1 : ld b,2 // two statements
loop: djnz loop /* and
this is none */ : ret
last nop
	LD HL,Start : jp LAST
 db 1,2 : db \
 3,4
other: another halt
 if 1 : db 9 : else : db 8 : endif
