	db 1
	seek 4
	db 2
	seek 2
	db 3
