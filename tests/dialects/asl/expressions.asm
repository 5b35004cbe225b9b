; operators and how tight they bind
	cpu	z80
u	equ	10
w	equ	3
	db	u+w*2,(u+w)*2,u-w-2,u/w,u#w,-u/w,-7#3
	db	1<<2+1,1+1<<2,255>>4,u&w|4,u!w,6&3+1,~u&15
	db	u=10,u==w,u<>w,u!=10,u<w,u>w,u<=10,u>=11
	db	u&&w,u&&0,0||w,0||0,1!!1,1!!0,~~u,~~0
	db	2^5,13h><4,1><8
	dw	0ffffh&1234h,1010b,17o,17q,0ffh,255
	dw	w-(-1)
	db	'a','a'+1,'\'' , "\""
	db	-1>>60&255, u*w/4#5
	dw	1234h>>8,1234h<<4&0ffffh
