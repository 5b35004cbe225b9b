; forms of numbers and characters
	db 127, 0FCH, #fC, $fC, 0xfc, 0Xfc, 0fch
	db 10110001B, %10110001, 377O, 17o, 10b
	db 'c', '''', '\'', '\\', "\"", "a""b"
	db "\0\a\t\n\f\r\e\"\'\\"
	dw 0FFFFFFFFH, 4294967295, -1, 65536
	dd 0FFFFFFFFH, 12345678H, -2
	dw "ab", 'c'
	dd "x"
	db "é", 'é' & 255, "€"
	dw 'é'
