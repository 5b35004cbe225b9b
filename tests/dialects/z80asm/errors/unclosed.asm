	db "ab
