; Behind the end of memory names go on counting.
#target bin
#code A,0FFF0h,16
first:
	ds 15,1
	db 1
behind:
#code B,8000h
	dw (behind-first)/2, behind/2
	db behind==65536, behind-first==16
