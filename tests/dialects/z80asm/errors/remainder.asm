	db 7%2
