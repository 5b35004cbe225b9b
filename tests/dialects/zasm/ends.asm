; Segments that begin where others end, which is known behind the last line.
#target bin
#code	TEXT,100h
#code	INIT,TEXT_end
#data	BSS,INIT_end
.area	TEXT
start:	ld	hl,value
	ld	(room),hl
	ld	bc,INIT_size
.area	INIT
value:	dw	1234h,room
	db	5
.area	TEXT
	ret
.area	BSS
room:	ds	4
	ds	2
last:
.area	INIT
	dw	last,BSS_end,TEXT_end
