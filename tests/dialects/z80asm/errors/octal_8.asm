	db 08
