	db 0b101
