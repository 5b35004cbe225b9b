	db 0X10
