; number forms; a leading 0 means octal
	db 10, 10d, 0ffh, 0FFH, 0xFF, $ff, $FF, &hff, &HFF
	db 010, 17o, 17q, 17Q, &o17, 101b, %101, &b101, @1101, @7123
	dw 65535, -32768, $, $ + 5, 0
