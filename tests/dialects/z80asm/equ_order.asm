x:	equ 5
y:	equ x*2
	db x,y
z:	equ y-x
	db z
