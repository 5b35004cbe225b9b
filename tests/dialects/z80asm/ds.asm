	ds 3
	ds 2,5
	defs 1+1,'x'
	ds 2+1,"a"
	ds 0
n:	equ 2
	ds n,-1
