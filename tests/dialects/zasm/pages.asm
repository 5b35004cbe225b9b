#target rom
#code PAGE1,0xC000,8
a1:	jp a1
#code PAGE2,0xC000,8
b1:	jp b1
	ld hl,b1-a1
