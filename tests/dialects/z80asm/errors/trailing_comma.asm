	db 1,
