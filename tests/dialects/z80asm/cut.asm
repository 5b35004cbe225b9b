; cut with a warning
	db 256, 300, -129
	dw 0x12345
	ld a,256
	ld hl,-32769
	ld a,(ix+300)
