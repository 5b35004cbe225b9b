	db 'a', "a",'abc',"abc","", 0+'a'+1, 'a'+1
	db "\n\r\t\a\\\"\101\0\12\q",'it',"it's",'say "x"'
	dw 'a', "b"+1
	ld a,'a'+1
	cp ';'	; a semicolon
	db "a;b:c"
