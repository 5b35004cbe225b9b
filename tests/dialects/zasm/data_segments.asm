; Room without bytes.
#target ram
#data VARS,4000h,10
v1	ds 2
v2	defs 4
#code CODE,100h
	ld hl,v2
	dw VARS_end,VARS_size,v1
#data MORE
w:	data 1
u:	ds 3
#code CODE
	dw w,u
#data LAST,*,16-(MORE-VARS)
z:	ds 1
#code CODE
	dw z,LAST_size
