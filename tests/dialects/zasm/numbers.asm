	org 0
	dw 10,10h,0ABh,$10,&10,&aF,0x1F,%101,101b,0b101,12d,#10
	db 'a',"b",'a'+1,-1,-128,255
	dw -1,65535,-32768
	ld a,#5
	ld hl,#table
	ld a,+(5)
table:
