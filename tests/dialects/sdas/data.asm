; data, room, texts, numbers
	.area _CODE
x:	.db 1,2,'a,'b','"',#5
	.byte 0x1f,0h1F,0b101,0o17,0q17,0d17,017
	.dw 1,x,.,x+1,.-x
	.word 70000,-1,"ab
	.fcb 300,-200
	.db <x,>x
	.fdb <0x1234,>0x1234,>0x1234+1
	.db "z"
	.ascii "text; with 'signs'" ; remark
	.ascii 'it;s'
	.asciz /slashes/
	.ascii "a\tb\101\\c"
	.ascis "end"
	.strz "s"
	.fcc |bars|
	.ds 3
	.db 1
	.even
	.db 2
	.odd
	.db 3
	.bndry 8
	.blkw 2
	.db 4
	.radix x
	.db 10,1f
	.radix d
	.db 10
	.db 1|2^3&4,1<<2+1,6|1+1,10-3-2,7&3+1,2*3%4,-2*3,~1+1,(1+2)*3,7/2,8>>1
	.incbin "part.bin"
	.ds 20
